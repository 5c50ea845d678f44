// @module-tag slow
/** The HTML report in a browser: Chromium, where one is installed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defectiveReportPage } from '../../../test/support/certification-report.ts'
import {
  type Browser,
  chromiumPath,
  openChromium,
  openFileIn,
  type Page,
} from '../../../test/support/chromium.ts'

const html = await defectiveReportPage()

test('the page loads nothing from elsewhere', () => {
  expect(html).not.toMatch(/<(?:link|img|iframe)|src=|@import|url\(/)
  expect(html.startsWith('<!doctype html>')).toBe(true)
})

describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-page-'))
  const file = join(folder, 'report.html')
  let browser: Browser

  beforeAll(async () => {
    writeFileSync(file, html)
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const opened = (width: number) => openFileIn(browser, file, { width })

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
