/**
 * The frame of every HTML page: one file that loads nothing and opens without a server. Its policy lets no script run but
 * our own, so that even traffic that was escaped wrongly could not.
 */
import { createHash } from 'node:crypto'
import { htmlText } from './html-text.ts'

/**
 * Script of every HTML page: filters, and links that open what they lead to. Without it everything is still there. A
 * control with `data-filter="area"` filters the elements with `data-item` by their `data-area`, a list of words that
 * are separated by spaces: a select keeps those that have its value, checkboxes those that have one of the checked
 * values. An item without that attribute is not filtered by it. With `data-only="failed"` a checkbox keeps the items
 * with `data-failed`, and the search box those whose text has every word; these two are for items with `data-searched`.
 * What stands for an item elsewhere, as an arrow of a diagram, names its id in `data-of`, and is dimmed while the item
 * is hidden.
 */
const pageScript = `
const all = (selector) => [...document.querySelectorAll(selector)]
const items = all('[data-item]')
const search = document.querySelector('#search')
const controls = all('[data-filter]')
const onlys = all('[data-only]')
const count = document.querySelector('#count')
const texts = new Map()
const standIns = new Map()
for (const each of all('[data-of]'))
  standIns.set(each.dataset.of, [...(standIns.get(each.dataset.of) ?? []), each])
const textOf = (item) => {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase())
  return texts.get(item)
}
function filter() {
  const words = search ? search.value.toLowerCase().split(/\\s+/).filter(Boolean) : []
  const names = [...new Set(controls.map((each) => each.dataset.filter))]
  const wanted = names.map((name) => {
    const own = controls.filter((each) => each.dataset.filter === name)
    const boxes = own.filter((each) => each.type === 'checkbox')
    const picked = own.filter((each) => each.type !== 'checkbox' && each.value !== '')
    return {
      name,
      fits: (values) =>
        (boxes.length === 0 || boxes.some((each) => each.checked && values.includes(each.value))) &&
        picked.every((each) => values.includes(each.value)),
    }
  })
  let visible = 0
  let counted = 0
  for (const each of items) {
    const isSearched = 'searched' in each.dataset
    const isShown =
      wanted.every(({ name, fits }) => !(name in each.dataset) || fits(each.dataset[name].split(' '))) &&
      (!isSearched || onlys.every((only) => !only.checked || only.dataset.only in each.dataset)) &&
      (!isSearched || words.length === 0 || words.every((word) => textOf(each).includes(word)))
    each.hidden = !isShown
    for (const other of standIns.get(each.id) ?? []) other.classList.toggle('off', !isShown)
    if (isSearched) counted++
    if (isSearched && isShown) visible++
  }
  if (count) count.textContent = visible + ' of ' + counted
}
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1))
  if (!target) return
  target.hidden = false
  for (let each = target; each; each = each.parentElement)
    if (each.tagName === 'DETAILS') each.open = true
  target.scrollIntoView()
}
let waiting
const filterSoon = () => {
  clearTimeout(waiting)
  waiting = setTimeout(filter, items.length > 500 ? 150 : 0)
}
for (const each of [...controls, ...onlys]) each.addEventListener('input', filter)
if (search) search.addEventListener('input', items.length > 500 ? filterSoon : filter)
addEventListener('hashchange', openTarget)
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link && link.getAttribute('href') === location.hash) openTarget()
})
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input[type=search], select') !== null
  if (event.key === '/' && !isTyping && search) {
    event.preventDefault()
    search.focus()
  }
  if (event.key === 'Escape' && event.target === search) {
    search.value = ''
    filter()
  }
})
filter()
openTarget()
`

/** Style sheet of every HTML page: readable from 400 px on, light and dark, and on paper. */
const pageStyle = `
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

const scriptHash = createHash('sha256').update(pageScript).digest('base64')

const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`

export interface HtmlPage {
  /** Plain text. */
  readonly title: string
  /** HTML below the title. */
  readonly body: string
  /** Style sheet of this kind of page, after that of all. */
  readonly style?: string
}

export const htmlPage = ({ title, body, style = '' }: HtmlPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title><style>${pageStyle}${style}</style></head><body>
<h1>${htmlText(title)}</h1>
${body}
<script>${pageScript}</script>
</body></html>
`
