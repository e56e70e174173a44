"""Makes places.db, or changes it: see README.md."""

import argparse
import csv
import gzip
import io
import itertools
import json
import random
import sqlite3
import subprocess
import uuid
from pathlib import Path

COUNT = 67_627

TABLE = """
create table places (
  id integer primary key,
  uuid text not null unique,
  status integer not null,
  longitude real not null,
  latitude real not null
)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        help="CSV or JSON, perhaps in gzip: see README.md",
    )
    parser.add_argument(
        "--wirewise",
        default="wirewise",
        help="the program that makes the places where there is no --data",
    )
    parser.add_argument(
        "--database", type=Path, default=Path(__file__).with_name("places.db")
    )
    parser.add_argument(
        "--sql", type=Path, help="write statements for PostgreSQL to this file instead"
    )
    parser.add_argument(
        "--turn",
        type=float,
        metavar="PART",
        help="change the status of this part, such as 0.01, instead",
    )
    parser.add_argument(
        "--move",
        type=float,
        metavar="PART",
        help="move this part of the places instead",
    )
    args = parser.parse_args()
    if args.turn is not None or args.move is not None:
        with sqlite3.connect(args.database) as database:
            turned, moved = (
                turn(database, args.turn or 0),
                move(database, args.move or 0),
            )
        print(
            f"{args.database}: {turned} places have another status, {moved} have moved"
        )
        return
    places = read(args.data) if args.data else made(args.wirewise)
    rows = [
        (place["uuid"], place["status"], place["longitude"], place["latitude"])
        for place in places
    ]
    if args.sql:
        args.sql.write_text("".join(postgres(rows)))
        print(f"{args.sql}: {len(rows)} places")
        return
    args.database.unlink(missing_ok=True)
    with sqlite3.connect(args.database) as database:
        database.execute(TABLE)
        database.executemany(
            "insert into places (uuid, status, longitude, latitude) values (?, ?, ?, ?)",
            rows,
        )
    print(f"{args.database}: {len(rows)} places")


def read(file: Path) -> list[dict]:
    """The first of those in a file, which is told by its name."""
    content = file.read_bytes()
    if file.suffix == ".gz":
        content, file = gzip.decompress(content), file.with_suffix("")
    text = content.decode()
    if file.suffix != ".csv":
        return json.loads(text)[:COUNT]
    return [
        place(row) for row in itertools.islice(csv.DictReader(io.StringIO(text)), COUNT)
    ]


def place(row: dict) -> dict:
    return {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, row["id"])),
        # Whether it is known how many people live there.
        "status": 1 if row["population"] else 0,
        "longitude": float(row["longitude"]),
        "latitude": float(row["latitude"]),
    }


def made(wirewise: str) -> list[dict]:
    """Invented places, around where people live; the same on every machine."""
    return json.loads(
        subprocess.run(
            [wirewise, "corpus", "geo-points"], check=True, stdout=subprocess.PIPE
        ).stdout
    )


def postgres(rows: list[tuple]) -> list[str]:
    columns = TABLE.strip().replace(
        "integer primary key", "bigint generated always as identity primary key"
    )
    columns = columns.replace("uuid text", "uuid uuid").replace(
        "real", "double precision"
    )
    lines = "".join("\t".join(str(value) for value in row) + "\n" for row in rows)
    return [
        columns,
        ";\n",
        "copy places (uuid, status, longitude, latitude) from stdin;\n",
        lines,
        "\\.\n",
    ]


def turn(database: sqlite3.Connection, part: float) -> int:
    ids = chosen(database, part)
    database.executemany(
        "update places set status = 1 - status where id = ?", [(id,) for id in ids]
    )
    return len(ids)


def move(database: sqlite3.Connection, part: float) -> int:
    """Moves places by up to a tenth of a degree: all digits of both coordinates are others then."""
    ids = chosen(database, part)
    near = random.uniform
    update = "update places set longitude = longitude + ?, latitude = latitude + ? where id = ?"
    database.executemany(update, [(near(-0.1, 0.1), near(-0.1, 0.1), id) for id in ids])
    return len(ids)


def chosen(database: sqlite3.Connection, part: float) -> list[int]:
    ids = [row[0] for row in database.execute("select id from places")]
    return random.sample(ids, round(len(ids) * part))


if __name__ == "__main__":
    main()
