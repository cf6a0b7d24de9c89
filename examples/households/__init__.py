"""Households and fifty years of floods: who remembers, who gets used to it, and who wakes up."""
