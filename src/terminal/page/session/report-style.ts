/** Style sheet of the report of a session, after that of all pages. */

export const reportStyle = `
.about { display: grid; gap: .1rem .75rem; grid-template-columns: minmax(0, max-content) minmax(50%, 1fr); margin: .5rem 0; } .about dt { color: var(--dim); } .about dd { margin: 0; }
.badges { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .5rem 0; padding: 0; }
.order, .rows > details { content-visibility: auto; contain-intrinsic-size: auto 2.2rem; }
.rows summary code { overflow-wrap: anywhere; } .rows summary .failed, .rows summary .warning { font-weight: 600; }
.notes { color: var(--warn); margin: 0; } .conclusion { margin: .25rem 0; }
.failure { border-left: 3px solid var(--bad); margin: .5rem 0; padding-left: .6rem; }
table.runs td { text-align: left; } table.runs td:nth-child(2) { overflow-wrap: normal; } table.runs th { text-align: left; }
details.run { border: 1px solid var(--line); margin: .75rem 0; padding: 0 .75rem; } details.run > :not(summary) { margin-left: 0; }
svg.markers { position: absolute; }
svg.diagram .side { font-weight: 600; } svg.diagram .clock, svg.diagram .note { fill: var(--dim); } svg.diagram .silent { fill: var(--warn); } svg.diagram a { text-decoration: none; }
svg.diagram .arrow line, svg.diagram .arrow path { stroke: var(--tone); stroke-width: 1.4; } svg.diagram .arrow > text { fill: var(--tone); } svg.diagram .arrow > .note { fill: var(--warn); }
svg.diagram .arrow .hit { stroke: transparent; stroke-width: 14; } svg.diagram .back, svg.diagram .read line:not(.hit) { stroke-dasharray: 4 3; }
.arrow { --tone: var(--to); } .arrow.call, .arrow.read { --tone: var(--from); } .arrow.odd { --tone: var(--warn); } .arrow.bad { --tone: var(--bad); } .arrow.bad .mark { font-size: 14px; font-weight: 700; }
svg.diagram a:hover .arrow line:not(.hit), svg.diagram a:focus .arrow line:not(.hit), svg.diagram :target .arrow line:not(.hit) { stroke-width: 3; }
.off { opacity: .12; }
@media (max-width: 700px) { .about { grid-template-columns: 1fr; } .about dd { margin-bottom: .25rem; } }
@media print { .order, .rows > details { content-visibility: visible; } }
`
