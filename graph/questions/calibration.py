"""Questions and facts to calibrate the cosines of an embedder.

Each fact only answers its own question: the pairs give the mean cosine of related texts, all other combinations that of
unrelated ones.
"""

from __future__ import annotations

COMMON_QUESTIONS = (
    "What is it?",
    "Where is it?",
    "When does it happen?",
    "Who is responsible for that?",
    "How much does it cost?",
    "Why did they do that?",
    "How do I do this?",
    "Which one is it?",
    "Is it allowed?",
    "Does she like it?",
    "Can he have that?",
    "What should we do?",
    "What did they decide?",
    "What happened?",
    "Who told you?",
    "When was it?",
    "What is the name of it?",
    "How many are there?",
    "What kind is it?",
    "Where can I find it?",
)
"""Questions without a topic: their mean vector is common to all questions."""

PAIRS = (
    ("Can I park in front of the house?", "The driveway has to stay free for the ambulance."),
    ("Which instrument does the boy play?", "Tom practises the clarinet every evening."),
    ("Is the soup fine for a vegetarian?", "The broth is made from beef bones."),
    ("How do we get into the archive?", "The key to the records room hangs behind the door."),
    ("Who repairs the roof?", "The carpenter Hansen fixes leaking tiles."),
    ("What time does the shop close?", "We serve customers until six in the evening."),
    ("Where did they spend their honeymoon?", "After the wedding they flew to Iceland."),
    ("Why was the build red?", "A missing library broke the compilation last night."),
    ("What colour are the curtains?", "She sewed green drapes for the bedroom."),
    ("How old is the dog?", "The terrier was born nine years ago."),
    ("Which team won the match?", "Sunday's final went to the visitors, three to one."),
    ("Do we owe the printer money?", "The invoice for the flyers has not been paid."),
    ("What keeps the servers cool?", "Two large fans blow air through the racks."),
    ("Where does the train stop?", "The express halts in Lyon and Dijon only."),
    ("Who signs the contracts?", "Only the managing director may approve agreements."),
    ("Is he afraid of anything?", "Spiders make Paul scream."),
    ("How is the weather on the island?", "It rains on most afternoons in the south."),
    ("What does the baby drink?", "The infant gets warm milk at night."),
    ("Which language is spoken at the office?", "Colleagues talk Portuguese with each other."),
    ("When can I call the doctor?", "The surgery answers the phone from eight to noon."),
    ("What did you plant this year?", "There are pumpkins in the back garden now."),
    ("How fast is the connection?", "The line carries fifty megabits per second."),
    ("Who taught her to swim?", "An aunt gave Mia lessons at the lake."),
    ("What is the spare room used for?", "Boxes of old books fill the small chamber upstairs."),
)
"""Questions with the facts that answer them."""
