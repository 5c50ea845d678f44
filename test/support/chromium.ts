/** Opens pages in Chromium, where one and the tool that drives it are installed, and notes what goes wrong in them. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { hasTool, loadTool } from '../tools/load-tool.ts'

/** What tests call of playwright-core. */
interface Locator {
  readonly locator: (selector: string, options?: { readonly hasText: string }) => Locator
  readonly first: () => Locator
  readonly count: () => Promise<number>
  readonly textContent: () => Promise<string | null>
  readonly check: () => Promise<void>
  readonly uncheck: () => Promise<void>
  readonly fill: (text: string) => Promise<void>
  readonly focus: () => Promise<void>
  readonly click: (options?: { readonly force: boolean }) => Promise<void>
  readonly selectOption: (option: string | { readonly index: number }) => Promise<readonly string[]>
}

/** What an event of a page hands over. */
interface PageEvents {
  readonly pageerror: Error
  readonly console: { readonly type: () => string; readonly text: () => string }
  readonly dialog: { readonly message: () => string; readonly dismiss: () => Promise<void> }
  readonly request: { readonly url: () => string }
}

export interface Page {
  readonly locator: Locator['locator']
  readonly keyboard: Readonly<Record<'press' | 'type', (text: string) => Promise<void>>>
  readonly title: () => Promise<string>
  readonly evaluate: (script: string) => Promise<unknown>
  readonly goto: (url: string) => Promise<unknown>
  readonly on: <Name extends keyof PageEvents>(
    name: Name,
    listener: (event: PageEvents[Name]) => void,
  ) => unknown
  readonly close: () => Promise<void>
}

export interface Browser {
  readonly newPage: (options: {
    readonly viewport: { readonly width: number; readonly height: number }
    readonly colorScheme: 'dark' | 'light'
  }) => Promise<Page>
  readonly close: () => Promise<void>
}

interface Playwright {
  readonly chromium: {
    readonly launch: (options: {
      readonly executablePath: string
      readonly args: readonly string[]
    }) => Promise<Browser>
  }
}

/** Undefined where there is none, and without `test/tools`. */
export const chromiumPath = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((each) => each !== '' && existsSync(each) && hasTool('playwright-core'))

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

export async function openChromium(): Promise<Browser> {
  const { chromium } = await loadTool<Playwright>('playwright-core')
  return chromium.launch({ executablePath: chromiumPath ?? '', args: flags })
}

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
