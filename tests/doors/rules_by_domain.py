"""Rules of three domains with goals they apply to, mostly without common words."""

from __future__ import annotations

RULES: dict[str, tuple[str, ...]] = {
    "operations": (
        "No migrations on Fridays.",
        "Take a backup before anything destructive.",
        "Secrets never go into the repository.",
        "Roll out to one region first, then to the others.",
        "Whoever is on call has to know of planned downtime.",
        "Old clients must keep working for two releases.",
    ),
    "travel": (
        "The company pays economy class only.",
        "Visas need three weeks.",
        "Ada cannot sleep on night trains.",
        "Leave an hour between connections.",
        "Hotels above 150 euros need an approval.",
        "Receipts are due within ten days.",
    ),
    "kitchen": (
        "Bob is allergic to peanuts.",
        "Never refreeze thawed meat.",
        "The oven runs twenty degrees too hot.",
        "Guests on Sundays are vegetarian.",
        "Dough has to rest overnight.",
        "Knives do not go into the dishwasher.",
    ),
}
GOALS: tuple[tuple[str, str], ...] = (
    ("Plan the change of the orders table for the end of this week", "No migrations on Fridays."),
    ("Drop the unused tables of the billing database", "Take a backup before anything destructive."),
    ("Store the password of the mail server for the deployment", "Secrets never go into the repository."),
    ("Release the new checkout service worldwide", "Roll out to one region first, then to the others."),
    ("Switch the database server off for maintenance", "Whoever is on call has to know of planned downtime."),
    ("Remove the first version of the public API", "Old clients must keep working for two releases."),
    ("Book a flight to Tokyo for the sales team", "The company pays economy class only."),
    ("Prepare a business trip to India next month", "Visas need three weeks."),
    ("Find a way from Rome to Vienna for Ada", "Ada cannot sleep on night trains."),
    ("Choose trains to Zurich with a change in Milan", "Leave an hour between connections."),
    ("Reserve a room in London for the conference", "Hotels above 150 euros need an approval."),
    ("Hand in the expenses of the trip to Paris", "Receipts are due within ten days."),
    ("Cook a Thai curry for Bob", "Bob is allergic to peanuts."),
    ("Decide what to do with the leftover chicken from the freezer", "Never refreeze thawed meat."),
    ("Bake a cake at 180 degrees", "The oven runs twenty degrees too hot."),
    ("Choose the menu for lunch with guests at the weekend", "Guests on Sundays are vegetarian."),
    ("Make pizza for tonight", "Dough has to rest overnight."),
    ("Clean up the kitchen after dinner", "Knives do not go into the dishwasher."),
)  # fmt: skip
