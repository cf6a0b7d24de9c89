"""The operations of the service, declared once each; `table` names all of them."""
