/** The HTML report in a browser: Chromium, where one is installed. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defectiveReportPage } from '../../../test/support/certification-report.ts'

const executablePath = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((each) => each !== '' && existsSync(each))

/** Without background networking it calls nothing but the page. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const html = await defectiveReportPage()

test('the page loads nothing from elsewhere', () => {
  expect(html).not.toMatch(/<(?:link|img|iframe)|src=|@import|url\(/)
  expect(html.startsWith('<!doctype html>')).toBe(true)
})

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-page-'))
  const file = join(folder, 'report.html')
  let browser: Awaited<ReturnType<typeof chromium.launch>>

  beforeAll(async () => {
    writeFileSync(file, html)
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: flags })
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  async function opened(width: number): Promise<{ page: Page; errors: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(pathToFileURL(file).href)
    return { page, errors }
  }

  const visible = (page: Page): Promise<number> =>
    page.locator('#results > details:not([hidden])').count()

  test('filters show what they say, and a link opens its exchange', async () => {
    const { page, errors } = await opened(1400)
    const all = await visible(page)
    expect(all).toBeGreaterThan(2)
    await page.locator('input[value=passed]').uncheck()
    const unpassed = await visible(page)
    expect(unpassed).toBeLessThan(all)
    expect(unpassed).toBeGreaterThan(0)
    await page.locator('input[value=passed]').check()
    await page.locator('#search').fill('getOrder 404')
    expect(await visible(page)).toBe(1)
    expect(await page.locator('#count').textContent()).toBe(`1 of ${all}`)
    await page.locator('#results > details:not([hidden]) a').first().click()
    expect(await page.locator('#exchanges > details[open] pre').first().textContent()).toContain(
      'GET ',
    )
    expect(errors).toEqual([])
    await page.close()
  })

  test.each([400, 1400])('nothing is wider than a window of %i px', async (width) => {
    const { page, errors } = await opened(width)
    // Runs in the page, hence as text.
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    expect(await page.locator('details:not([open])').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(errors).toEqual([])
    await page.close()
  })
})
