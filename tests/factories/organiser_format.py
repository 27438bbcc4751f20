"""A format that an organiser wrote, of three files: forty cards, 学校男 banned."""

CHILD = "format: club/x\nname: X\nextends: base.yaml\nbanlists: [list.yaml]\n"
BASE = """\
format: duel-masters/base
name: B
zones: {main: {}}
rules:
  - {id: size, in: main, exactly: 40}
  - {id: out, where: {status: banned}, at_most: 0}
"""
LIST = "banlist: club/list\nname: L\ncards: [{card: 学校男, history: [{from: 2026-01-01, status: banned}]}]\n"
