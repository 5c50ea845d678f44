// @module-tag slow
/** The page of a session: hostile traffic stays text, and in Chromium it filters, links and fits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  chromiumPath,
  openChromium,
  openFileIn,
} from '../../../../test/support/chromium.ts'
import { hostileReport } from '../../../../test/support/hostile-report.ts'
import { readRecordedReport } from '../../../../test/support/recorded-report.ts'
import { type ReportedRun, runsPage, sessionPage } from './report-page.ts'

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../recordings/${name}.rec.ndjson`, import.meta.url))

const options = { title: 'A report', limit: 2000 }
const hostilePage = sessionPage(hostileReport, options)
const realReport = await readRecordedReport(fileOf('lost-cancelled'))
const realPage = sessionPage(realReport, options)

const runs: readonly ReportedRun[] = [
  { title: 'it passes', result: 'passed', facts: [], failures: [], steps: [], session: realReport },
  {
    title: '<it> fails',
    result: 'failed',
    facts: [['file', 'a&b.yaml']],
    failures: ['because <b>'],
    steps: [{ text: '1. o1 is placed', result: 'done' }],
    session: hostileReport,
  },
]
const pageOfRuns = runsPage({ title: 'Runs', summary: '2 runs', notes: ['it was halted'], runs })

const pages = { hostile: hostilePage, real: realPage, runs: pageOfRuns }

/** Tags with their attributes, and without the values of these. */
const tagsOf = (html: string): string =>
  (html.replaceAll(/"[^"]*"/g, '""').match(/<[a-z][^>]*>/g) ?? []).join('\n')

test.each(Object.entries(pages))('the %s page loads nothing, and has one script', (_name, html) => {
  const tags = tagsOf(html)
  expect(tags).not.toMatch(/<(?:link|img|iframe|base|object|embed)\b| (?:src|on[a-z]+|style)=/)
  expect(html).not.toMatch(/@import|url\((?!#)/)
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html.match(/<\/script>/g)).toHaveLength(1)
  expect(html.match(/<style/g)).toHaveLength(1)
  expect(html).toContain("default-src 'none'")
})

test.each(Object.entries(pages))(
  'no id is there twice on the %s page, and every link leads to one',
  (_name, html) => {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const targets = [...html.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target)
    expect(targets.length).toBeGreaterThan(10)
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  },
)

test('a page that cannot show everything says what is left out, and how to see it', () => {
  const { amount } = realReport
  const short = sessionPage(
    { ...realReport, amount: { ...amount, remedies: ['Say --order'] } },
    { ...options, limit: 20 },
  )
  expect(short).toMatch(
    /\d+ exchanges of 73 are left out of the page, which shows 20: .*Say --order\./,
  )
  expect(realPage).not.toContain('left out')
})

describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-report-page-'))
  let browser: Browser

  beforeAll(async () => {
    for (const [name, html] of Object.entries(pages))
      writeFileSync(join(folder, `${name}.html`), html)
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const opened = (name: keyof typeof pages, width: number, dark = false) =>
    openFileIn(browser, join(folder, `${name}.html`), { width, dark })

  test.each([
    ['hostile', 400, false],
    ['hostile', 1400, true],
    ['real', 400, true],
    ['real', 1400, false],
    ['runs', 400, false],
  ] as const)(
    'the %s page fits into %i px, runs only its own script and asks for nothing',
    async (name, width, dark) => {
      const { page, errors, requests } = await opened(name, width, dark)
      // Runs in the page, hence as text.
      await page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      )
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.locator('#search').fill('500')
      await page.locator('svg a').first().click({ force: true })
      expect({ errors, requests }).toEqual({ errors: [], requests: [] })
      expect(await page.evaluate('document.scripts.length')).toBe(1)
      await page.close()
    },
  )

  test('filters by words, failure, order and operation; arrows of what is hidden are dimmed', async () => {
    const { page, errors } = await opened('real', 1400)
    const visible = (): Promise<number> => page.locator('.rows > details:not([hidden])').count()
    const dimmed = (): Promise<number> => page.locator('svg a.off').count()
    const all = await visible()
    expect(await page.locator('#count').textContent()).toBe(`${all} of ${all}`)
    expect(await dimmed()).toBe(0)
    await page.locator('[data-only=failed]').check()
    expect(await visible()).toBe(1)
    expect(await dimmed()).toBeGreaterThan(all)
    await page.locator('[data-only=failed]').uncheck()
    await page.keyboard.press('/')
    await page.keyboard.type('setOrderReadyForPickup')
    // Of the two orders, and the manifest that declares it.
    expect(await visible()).toBe(3)
    await page.locator('#search').fill('readyforpickup 409')
    expect(await visible()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await visible()).toBe(all)
    const orders = page.locator('.order:not([hidden])')
    expect(await orders.count()).toBe(2)
    await page.locator('[data-filter=order]').selectOption({ index: 1 })
    expect(await orders.count()).toBe(1)
    const ofOrder = await visible()
    expect(ofOrder).toBeLessThan(all)
    await page.locator('[data-filter=operation]').selectOption('getOrder')
    expect(await visible()).toBeLessThan(ofOrder)
    expect(await visible()).toBeGreaterThan(0)
    expect(errors).toEqual([])
    await page.close()
  })

  test('an arrow leads to its exchange, and back to its place in the sequence, by the keyboard too', async () => {
    const { page, errors } = await opened('real', 1400)
    await page.locator('.order a[href^="#x"]').first().focus()
    await page.keyboard.press('Enter')
    const exchange = page.locator('.rows > details[open]')
    expect(await exchange.locator('pre').first().textContent()).toMatch(/^(GET|POST) http/)
    const back = exchange.locator('a', { hasText: 'in the sequence' })
    await back.click()
    await expect
      .poll(() => page.evaluate('document.querySelector(":target").closest("details").open'))
      .toBe(true)
    expect(errors).toEqual([])
    await page.close()
  })
})
