"""The room of a page: which figures, and which values of their controls, are left out where it is full."""

from .alone import flatten_numbers, halve_values

ROOM = 2_000_000  # packed bytes of the fields of all figures of a page
FULL = 1_800_000  # up to which controls add what they have alone


def drop_largest(found, pool):
    """Take figures out, whichever frees most, until what is left finds room in a page; returns their titles."""
    dropped, own = [], {title: list_fields(tables) for title, tables in found.items()}

    def size_without(title):
        return sum(pool.sizes[number] for number in set().union(*(own[one] for one in own if one != title)))

    while size_without(None) > ROOM:
        dropped.append(min(own, key=size_without))
        del own[dropped[-1]], found[dropped[-1]]
    return dropped


def make_room(found, pool):
    """Leave out what a page has no room for; returns the titles of figures that it loses, as `drop_largest`."""
    dropped = drop_largest(found, pool)
    take_values(found, pool)
    return dropped


def take_values(found, pool):
    """Take values that controls have alone, where a page has no room for them; the heaviest control loses half."""

    def size_of(numbers):
        return sum(pool.sizes[number] for number in numbers)

    def own_size(place):
        title, name = place
        rest = {other: one for other, one in found[title].alone.items() if other != name}
        return size_of(list_fields(found[title]) - list_fields(found[title]._replace(alone=rest)))

    while size_of(set().union(*map(list_fields, found.values()))) > FULL:
        places = [(title, name) for title, tables in found.items() for name in tables.alone]
        if not places:
            return
        title, name = max(places, key=own_size)
        half = halve_values(found[title].alone[name])
        rest = {other: one for other, one in found[title].alone.items() if other != name}
        found[title] = found[title]._replace(alone=rest | ({name: half} if half.values else {}))


def list_fields(tables):
    """Numbers of all fields that a figure uses."""
    columns = [numbers for one in (*tables.curves.values(), *tables.parts.values()) for _, numbers in one[1:]]
    for one in tables.alone.values():
        columns += [numbers for laid in (*one.curves.values(), *one.parts.values()) for numbers in laid[1:]]
    return {number for numbers in columns for number in flatten_numbers(numbers) if number >= 0}
