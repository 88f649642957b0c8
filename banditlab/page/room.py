"""The room of a page: which figures, and which values of their controls, are left out where it is full."""

import itertools
from collections import Counter

from .alone import halve_values, take_places

ROOM = 2_000_000  # packed bytes of the fields of all figures of a page
FULL = 1_680_000  # up to which controls add what they have alone; two or four times that where it packs well together:
LENGTH = 1_500_000  # characters of all figures, without modules


def drop_largest(found, pool):
    """Take figures out, whichever frees most, until what is left finds room in a page; returns their titles."""
    dropped, own = [], {title: fields_joint(tables) for title, tables in found.items()}

    def size_without(title):
        return weigh(set().union(*(own[one] for one in own if one != title)), pool)

    while size_without(None) > ROOM:
        dropped.append(min(own, key=size_without))
        del own[dropped[-1]], found[dropped[-1]]
    return dropped


def make_room(found, pool, count):
    """Leave out what a page, of `count()` characters, has no room for; returns the titles of figures that it loses."""
    dropped, whole = drop_largest(found, pool), dict(found)
    for full in (4 * FULL, 2 * FULL, FULL):
        found.update(whole)
        take_values(found, pool, full)
        if count() <= LENGTH:
            break
    while weigh_all(found, pool) > full and any(tables.wanted.values for tables in found.values()):
        title = max(found, key=lambda title: len(found[title].wanted.values))
        one = found[title].wanted
        found[title] = found[title]._replace(wanted=take_places(one, range(len(one.values) // 2)))
    return dropped


def take_values(found, pool, full):
    """Take values that controls have alone: the heaviest control loses half, until all find room."""
    sizes = {title: weigh_alone(tables, pool) for title, tables in found.items()}
    fields = {title: list_fields(tables) for title, tables in found.items()}
    while any(sizes.values()) and weigh(set().union(*fields.values()), pool) > full:
        _, title, name = max((size, title, name) for title, own in sizes.items() for name, size in own.items())
        half = halve_values(found[title].alone[name])
        rest = {other: one for other, one in found[title].alone.items() if other != name}
        found[title] = found[title]._replace(alone=rest | ({name: half} if half.values else {}))
        sizes[title], fields[title] = weigh_alone(found[title], pool), list_fields(found[title])


def weigh(numbers, pool):
    """Packed bytes of these fields; a row that several have is packed once."""
    rows = {}
    for number in numbers:
        rows.update(pool.rows.get(number) or {number: pool.sizes[number]})
    return sum(rows.values())


def weigh_all(found, pool):
    """Packed bytes of the fields of all figures."""
    return weigh(set().union(*map(list_fields, found.values())), pool)


def weigh_alone(tables, pool):
    """Packed bytes of the fields that each control adds to a figure alone."""
    uses = Counter(fields_joint(tables) | fields_alone(tables.wanted))
    for one in tables.alone.values():
        uses.update(fields_alone(one))
    return {
        name: weigh([number for number in fields_alone(one) if uses[number] == 1], pool)
        for name, one in tables.alone.items()
    }


def list_fields(tables):
    """Numbers of all fields that a figure uses."""
    return fields_joint(tables).union(*map(fields_alone, (*tables.alone.values(), tables.wanted)))


def fields_joint(tables):
    """Numbers of the fields of its tables, over several controls."""
    columns = (numbers for one in (*tables.curves.values(), *tables.parts.values()) for _, numbers in one[1:])
    return list_numbers(columns)


def fields_alone(one):
    """Numbers of the fields that a figure uses at values of one control, or at settings that are wanted."""
    return list_numbers(numbers for laid in (*one.curves.values(), *one.parts.values()) for numbers in laid[1:])


def list_numbers(columns):
    """The numbers in columns, also of fields that runs have for themselves."""
    each = (number for numbers in columns for number in numbers)
    flat = itertools.chain.from_iterable(one if isinstance(one, tuple) else (one,) for one in each)
    return {number for number in flat if number >= 0}
