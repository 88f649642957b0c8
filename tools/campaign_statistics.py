"""What the campaign's claims of Uplifting Bandits say on the real Criteo rows: a file of statistics, never of rows.

    BANDITLAB_DATA=folder python -m tools.campaign_statistics reports/campaign-criteo.json

Sizes are those of the quick ledger, and 600 rounds in 8 runs where the growth after the start counts.
"""

import argparse
import json

from uplifting import data

from banditlab.evidence.claims import SCALES
from banditlab.explorer.paper import find_paper
from banditlab.io import open_whole

COMMAND = "BANDITLAB_DATA=folder python -m tools.campaign_statistics reports/campaign-criteo.json"


def rows(seed=0):
    """The rows of all claims on the campaign, judged on the data of today."""
    claims = find_paper("notebooks/uplifting.ipynb").claims.claims
    asked = [one for one in claims.asked if one.id.startswith("C")]
    for one in asked:
        yield claims.judge(one._replace(scales=SCALES), "quick", seed)._asdict()


def main(arguments=None):
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", help="file to write, JSON")
    options = parser.parse_args(arguments)
    if data.find() is None:
        parser.error("BANDITLAB_DATA names no folder with the Criteo uplift data")
    found = []
    for row in rows():
        found.append(row)
        print(f"{row['id']}: {row['verdict']}: {row['statistic']}", flush=True)
        with open_whole(options.out, "w") as file:
            told = {"command": COMMAND, "data": data.pool().name, "claims": found}
            json.dump(told, file, indent=1, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    main()
