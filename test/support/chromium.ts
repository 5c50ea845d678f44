/** Opens pages in Chromium, where one is installed, and notes what goes wrong in them. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Undefined where there is none. */
export const chromiumPath = [
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

export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: flags })

export interface OpenedPage {
  readonly page: Page
  /** Errors of scripts, and what the console calls an error, such as a violation of the policy. */
  readonly errors: string[]
  /** What it asked for besides itself. */
  readonly requests: string[]
}

export async function openFileIn(
  browser: Browser,
  file: string,
  { width, dark = false }: { readonly width: number; readonly dark?: boolean },
): Promise<OpenedPage> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  const { href } = pathToFileURL(file)
  const errors: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url() !== href) requests.push(request.url())
  })
  await page.goto(href)
  return { page, errors, requests }
}
