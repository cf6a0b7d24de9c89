"""`python -m service`: the same as the command `stratagraph`."""

from service.cli import main

if __name__ == "__main__":
    main()
