/** Script of the HTML report: filters, and links that open the exchange they lead to. Without it everything is still there. */

export const htmlScript = `
const all = (selector) => [...document.querySelectorAll(selector)]
const results = all('#results > details')
const search = document.querySelector('#search')
const area = document.querySelector('#area')
const outcomes = all('.filters input[type=checkbox]')
const count = document.querySelector('#count')
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  const shown = new Set(outcomes.filter((each) => each.checked).map((each) => each.value))
  let visible = 0
  for (const each of results) {
    const text = each.textContent.toLowerCase()
    const isShown =
      shown.has(each.dataset.outcome) &&
      (area.value === '' || each.dataset.area === area.value) &&
      words.every((word) => text.includes(word))
    each.hidden = !isShown
    if (isShown) visible++
  }
  count.textContent = visible + ' of ' + results.length
}
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1))
  if (!target) return
  for (let each = target; each; each = each.parentElement)
    if (each.tagName === 'DETAILS') each.open = true
  target.scrollIntoView()
}
for (const each of [search, area, ...outcomes]) each.addEventListener('input', filter)
addEventListener('hashchange', openTarget)
filter()
openTarget()
`
