"""Fail unless numeric core, scopes and loader have full branch coverage."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from coverage import Coverage
from coverage.exceptions import NoDataError

WHOLE = ("cypher/__init__.py", "graph/kernel/scope.py", "graph/scoring/*.py")


def main() -> int:
    """Read the data of the last run of pytest, and print uncovered lines."""
    coverage = Coverage()
    coverage.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        try:
            coverage.json_report(include=list(WHOLE), outfile=str(report))
        except NoDataError:
            sys.stderr.write("no coverage data: run pytest with --cov first\n")
            return 1
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    missed = [
        f"{name}: lines {file['missing_lines']}, branches {file.get('missing_branches', [])}"
        for name, file in sorted(files.items())
        if file["missing_lines"] or file.get("missing_branches")
    ]
    for line in missed:
        sys.stderr.write(f"not covered: {line}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
