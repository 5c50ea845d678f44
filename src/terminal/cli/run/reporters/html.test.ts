/** `sparring run --reporter html`: the page of real runs, as a file that a browser opens by itself. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chromiumPath, openChromium, openFileIn } from '../../../../../test/support/chromium.ts'
import { playInProcess } from '../../../../../test/support/play-scenario-in-process.ts'
import { createTestIo } from '../../../../../test/support/test-io.ts'
import type { DefectName } from '../../../../demo/defects.ts'
import { mergeRuns } from '../../../../sparring/run/merge-runs.ts'
import type { RunOptions } from '../run-flags.ts'
import { type EnvironmentSelector, runScenarios } from '../run-scenarios.ts'

const hostileTitle = `It's <b>"lost"</b> </script><script>document.title = 'attacked'</script>`
const hostileId = `o"'<img src=x onerror=alert(1)>`

const scenario = (title: string): string => `name: ${JSON.stringify(title)}
about: An order is concluded.
orders:
  o1: { order: { id: ${JSON.stringify(hostileId)}, type: TAKEOUT } }
steps:
  - create: o1
  - await: { status: CONCLUDED, order: o1 }
expect:
  statuses: { o1: CONCLUDED }
`

function folderOf(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-html-'))
  writeFileSync(join(cwd, 'correct.yaml'), scenario('A correct service'))
  writeFileSync(join(cwd, 'defective.yaml'), scenario(hostileTitle))
  return cwd
}

const defectsIn: Readonly<Record<string, readonly DefectName[]>> = {
  'defective.yaml': ['confirms-unread'],
}

/** Against the reference service in this process. */
const environments: EnvironmentSelector =
  () =>
  async ({ loaded }, { onPlayed }) => ({
    kind: 'played',
    outcome: await playInProcess(loaded.run, {
      defects: defectsIn[loaded.file] ?? [],
      after: ({ session }, outcome) => onPlayed(session, outcome),
    }),
  })

async function run(cwd: string, options: Partial<RunOptions>, selector = environments) {
  const { io, written } = createTestIo({ cwd })
  const scenarios = ['correct.yaml', 'defective.yaml']
  const code = await runScenarios({ scenario: scenarios, ...options }, io, selector)
  return { code, ...written() }
}

const pageIn = (cwd: string, file = 'report.html'): string => readFileSync(join(cwd, file), 'utf8')

/** Sections of runs, as they are in the page. */
const sectionsOf = (page: string): readonly string[] => page.split('<details class="run"').slice(1)

const cwd = folderOf()
const played = await run(cwd, { reporter: ['html=report.html'], out: 'all.ndjson' })
const page = pageIn(cwd)

test('a run that failed and one that passed: both in the table, the failed one open with rule and clause, each with its session', () => {
  expect(played).toMatchObject({ code: 1, stdout: '' })
  expect(page).toMatch(/2 runs: 1 passed, 1 failed, in \d/)
  const [passed = '', failed = '', ...others] = sectionsOf(page)
  expect(others).toEqual([])
  expect(passed).toMatch(
    /^ id="run1"><summary><span class="outcome passed">passed<\/span>A correct/,
  )
  expect(failed).toMatch(/^ id="run2" open><summary><span class="outcome failed">failed<\/span>It/)
  expect(failed).toMatch(/<pre class="failure">SE-7 failed: /)
  expect(failed).toContain('ORD-FLO-03')
  expect(failed).toContain('<dt>again</dt><dd>sparring run defective.yaml')
  for (const section of [passed, failed]) {
    expect(section).toContain('<summary>2 steps</summary>')
    expect(section.match(/ data-searched /g)?.length).toBeGreaterThan(5)
    expect(section).toContain('<svg')
  }
})

test('the page is one file: it loads nothing, and names and ids from the scenario stay text', () => {
  expect(page).toContain("default-src 'none'")
  const tags = (page.replaceAll(/"[^"]*"/g, '""').match(/<[a-z][^>]*>/g) ?? []).join('\n')
  expect(tags).not.toMatch(/<(?:link|img|iframe|base|object|embed|b)\b| (?:src|on[a-z]+|style)=/)
  expect(page).not.toMatch(/@import|url\((?!#)/)
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toContain('&lt;/script&gt;&lt;script&gt;')
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
})

test.skipIf(chromiumPath === undefined)(
  'Chromium opens the file without an error or a request, and a row of the table leads to its run',
  { tags: ['slow'] },
  async () => {
    const browser = await openChromium()
    try {
      const opened = await openFileIn(browser, join(cwd, 'report.html'), { width: 1200 })
      const { page: shown, errors, requests } = opened
      expect(await shown.title()).toBe('Report of scenarios')
      const isOpen = (id: string): Promise<unknown> =>
        shown.evaluate(`document.getElementById('${id}').open`)
      expect([await isOpen('run1'), await isOpen('run2')]).toEqual([false, true])
      await shown.locator('table.runs a').first().click()
      // The page opens it when its address has changed.
      await expect.poll(() => isOpen('run1')).toBe(true)
      const id = shown.locator('#run2 .order').first()
      expect(await id.textContent()).toContain(hostileId)
      expect({ errors, requests }).toEqual({ errors: [], requests: [] })
    } finally {
      await browser.close()
    }
  },
)

test('a merge makes the same page from the records: they hold the sessions too', async () => {
  const { io } = createTestIo({ cwd })
  const merged = await mergeRuns({ file: ['all.ndjson'], reporter: ['html=merged.html'] }, io)
  expect(merged).toBe(1)
  const withoutTimes = (text: string): string =>
    text.replace(/<p class="facts">.*?<\/p>/, '').replaceAll(/<dt>took<\/dt><dd>.*?<\/dd>/g, '')
  expect(withoutTimes(pageIn(cwd, 'merged.html'))).toBe(withoutTimes(page))
})

test('a part without runs, and a run that could not be played, are pages too that say so', async () => {
  const empty = folderOf()
  const part = { shard: '3/3', out: '3.ndjson', reporter: ['html=empty.html'] }
  expect(await run(empty, part)).toMatchObject({ code: 0 })
  expect(pageIn(empty, 'empty.html')).toContain('0 runs: nothing was played')
  expect(sectionsOf(pageIn(empty, 'empty.html'))).toEqual([])
  const halted = await run(
    empty,
    { reporter: ['html=halted.html'] },
    () => () =>
      Promise.resolve({ kind: 'halted', because: 'it is <gone>', remedy: 'Start it.' } as const),
  )
  expect(halted.code).toBe(3)
  expect(pageIn(empty, 'halted.html')).toContain(
    '<p class="failed">your service: it is &lt;gone&gt;. Start it.</p>',
  )
})

test.each([
  ['html=/proc/none/report.html', /^writing the report \/proc\/none\/report\.html: .*ENOENT/],
  [
    'html=correct.yaml/report.html',
    /^writing the report correct\.yaml\/report\.html: .*(?:ENOTDIR|EEXIST)/,
  ],
  ['html=.', /^writing the report \.: /],
  ['html=', /^reading --reporter: "html=" names no file\. Write it as html=report\.html/],
  ['htm=a.html', /^reading --reporter: there is no reporter "htm"\. Did you mean "html"\?/],
])('%s cannot be written: nothing is played', async (reporter, message) => {
  let isPlayed = false
  const failed = run(folderOf(), { reporter: [reporter] }, (planned) => {
    const environment = environments(planned)
    return async (...given) => {
      isPlayed = true
      if ('skip' in environment) throw new Error(environment.skip)
      return environment(...given)
    }
  })
  await expect(failed).rejects.toMatchObject({
    name: 'Problem',
    exit: 2,
    message: expect.stringMatching(message),
  })
  expect(isPlayed).toBe(false)
})
