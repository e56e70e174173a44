"""Makes people.db: 50,000 people, who are invented."""

import argparse
import json
import sqlite3
import subprocess
from pathlib import Path

# Lists are in columns that say that they have JSON.
TABLE = """
create table people (
  id integer primary key,
  name text not null,
  addresses json not null default '[]',
  mobiles json not null default '[]',
  emails json not null default '[]'
)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--wirewise", default="wirewise", help="the program that makes the people"
    )
    parser.add_argument(
        "--database", type=Path, default=Path(__file__).with_name("people.db")
    )
    args = parser.parse_args()
    made = subprocess.run(
        [args.wirewise, "corpus", "people"], check=True, stdout=subprocess.PIPE
    )
    people = [row(person) for person in json.loads(made.stdout)]
    args.database.unlink(missing_ok=True)
    with sqlite3.connect(args.database) as database:
        database.execute(TABLE)
        database.executemany(
            "insert into people (name, addresses, mobiles, emails) values (?, ?, ?, ?)",
            people,
        )
    print(f"{args.database}: {len(people)} people")


def row(person: dict) -> tuple:
    lists = (
        json.dumps(person[name], ensure_ascii=False)
        for name in ("addresses", "mobiles", "emails")
    )
    return person["name"], *lists


if __name__ == "__main__":
    main()
