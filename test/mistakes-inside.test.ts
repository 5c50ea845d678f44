// @module-tag slow
/** The table of docs/survive.md: each mistake is provoked and caught by every channel that it says, and nothing is red without it. */
import { expect, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import { runSparring } from './support/spawn-sparring.ts'
import { mistakeOfTwo, mistakesInside } from './support/mistakes-inside.ts'
import { playInProcess } from './support/play-scenario-in-process.ts'
import { missedDefect } from './support/scenario-check.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const rows = mistakesInside.flatMap(({ channels = ['polling', 'webhook'], ...each }) =>
  channels.map((channel) => ({ ...each, channel })),
)

async function runsOf(story: string, channel: string) {
  const loaded = await loadScenarios([`scenarios/${story}.yaml`], root)
  return loaded.map(({ run }) => run).filter((run) => run.channel === channel)
}

test.each(rows)(
  '$mistake ($channel): $defect breaks $breaks in $story',
  async ({ defect, breaks, story, channel, mistake: name }) => {
    const runs = await runsOf(story, channel)
    expect(runs.length).toBeGreaterThan(0)
    expect(await missedDefect({ file: story, name, defect, breaks, runs })).toBeUndefined()
  },
)

const played = new Map(
  rows.map(({ story, channel }) => [`${story} ${channel}`, { story, channel }]),
)

test.each([...played.values()])(
  'a correct service is green in $story ($channel)',
  async ({ story, channel }) => {
    for (const run of await runsOf(story, channel)) {
      const { result, verdicts, unexercised } = await playInProcess(run)
      const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
      expect({ result, failed, unexercised }).toEqual({
        result: 'passed',
        failed: [],
        unexercised: [],
      })
    }
  },
)

test('at least sixteen defects of the demo are among them', () => {
  expect(new Set(mistakesInside.map(({ defect }) => defect)).size).toBeGreaterThanOrEqual(16)
})

// Nightly: two processes at the speed of the wall clock, which tests beside them make late.
test.each([
  [{}, 0],
  [{ MISTAKE: mistakeOfTwo.name }, 1],
])(
  `two processes of examples/node-sqlite with %j: ${mistakeOfTwo.story} ends with %i`,
  { tags: ['nightly'], timeout: 120_000 },
  async (env, code) => {
    const cwd = `${root}examples/node-sqlite`
    const start = `ORDERING_URL={ordering-application} DATABASE={folder}/tickets.db exec ${process.execPath} service.js`
    const story = `${root}scenarios/${mistakeOfTwo.story}.yaml`
    const flags = ['--config', 'effects.config.yaml', '--replicas', '2', '--json', '--start', start]
    const ended = await runSparring(['run', story, ...flags], { cwd, env })
    const { runs } = JSON.parse(ended.stdout) as {
      runs: readonly { title: string; failures: readonly { because: string }[] }[]
    }
    // Of two that poll, the one that knows the event may get it again.
    const pushed = runs.find(({ title }) => title.includes('webhook'))
    const isTwice = pushed?.failures.some(({ because }) => because.includes('tickets: 2'))
    expect({ code: ended.code, isTwice }).toEqual({ code, isTwice: code === 1 })
  },
)
