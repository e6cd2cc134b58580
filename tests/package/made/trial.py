"""What stranger.sh runs where a wheel was installed."""

import sys

import gannet

documents = [{"id": "sun", "contents": "Solar power comes from the sun.", "year": 2004}]
documents += [{"id": "sea", "contents": "Tidal power stations by the sea.", "year": 2010}]
index = gannet.Index.build(documents, "python-idx", schema={"year": "i32"}, overwrite=True)
assert list(index.search("solar power", filter="year:[2000 TO 2010]").ids) == ["sun", "sea"]
assert list(index.search_batch(["solar", "tidal waves"], k=10).ids) == ["sun", "sea"]
try:
    gannet.Index.open("nothing-here")
except gannet.Error as error:
    assert "nothing-here" in str(error)
else:
    raise AssertionError("an index that is not there was opened")
print(f"trial: the package {gannet.__version__} works with Python {sys.version.split()[0]}")
