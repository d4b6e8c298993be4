"""Of the projects of evals/extraction/weeks.jsonl, everything about these is kept back."""

WEEKS_HELD = [
    "museum", "compiler", "tickets", "maps", "govforms", "paywright", "lumi", "city-library", "salpa-lock-fw",
    "zed80", "daily-tribune-web", "trickster", "quoteline", "glanzbild", "ferrox", "paygate", "castcms", "ledgerly",
    "thermo-hub", "quayside", "stowaway-rs", "parkly", "tollgate", "kelpie", "vitrine",
    "mulebot-orchard", "lindenpay", "kestrelpost", "krambu", "parleybox", "kitepost", "gallerina",
    "gatelock-fw", "folio", "kensa-line", "escrow-ledger",
]
