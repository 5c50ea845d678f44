/** Style sheet of every HTML page: readable from 400 px on, light and dark, and on paper. */

export const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --dim: #6e7781; --to: #0969da; --from: #8250df; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --warn: #d29922; --dim: #9198a1; --to: #58a6ff; --from: #bc8cff; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1400px; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; } pre { margin: 0; white-space: pre-wrap; }
.facts { color: var(--dim); margin: 0; } a { color: inherit; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: right; }
th { overflow-wrap: normal; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.filters { background: Canvas; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: .5rem 0; position: sticky; top: 0; z-index: 1; }
.filters input[type=search], .filters select { font: inherit; max-width: 100%; padding: .15rem .4rem; }
details { border-bottom: 1px solid var(--line); scroll-margin-top: 6rem; } summary { cursor: pointer; padding: .4rem 0; }
details > :not(summary), details > .facts { margin: .25rem 0 .5rem 1rem; }
.outcome { display: inline-block; font-weight: 600; min-width: 6.5rem; }
.passed { color: var(--good); } .failed { color: var(--bad); } .warning, .attestation { color: var(--warn); } .skipped { color: var(--dim); }
.clause { font-family: ui-monospace, monospace; margin-right: .5rem; }
.fix { border-left: 3px solid var(--warn); padding-left: .6rem; }
.sides { display: grid; gap: .75rem; grid-template-columns: 1fr 1fr; }
.sides > div { background: var(--soft); min-width: 0; padding: .5rem; } .sides h4 { font-size: .85rem; margin: 0 0 .25rem; }
:target { outline: 2px solid var(--warn); } [hidden] { display: none; }
:focus-visible { outline: 2px solid var(--to); }
svg { display: block; font: 11px system-ui, sans-serif; max-width: none; } svg text { fill: currentColor; }
svg line { stroke: var(--line); } svg .to { fill: var(--to); } svg .from { fill: var(--from); } svg .wrong { fill: var(--bad); }
@media (max-width: 700px) { .filters { position: static; } .sides { grid-template-columns: 1fr; } .outcome { min-width: 0; margin-right: .5rem; } details > :not(summary), details > .facts { margin-left: 0; } }
@media print { .filters { display: none; } .scroll { overflow: visible; } svg { height: auto; max-width: 100%; } }
`
