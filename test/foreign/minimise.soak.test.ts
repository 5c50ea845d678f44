// @module-tag nightly
/**
 * `sparring minimise` with services that share no code with it: each recorded day becomes the few exchanges that show the
 * bug, and with these `git bisect run` finds the commit that brought it. The shortest case runs with `npm test`, all with
 * `npm run soak`.
 */
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRecording } from '../../src/core/runtime/recording/read-recording.ts'
import { findForeignCauses } from '../support/foreign-causes.ts'
import { createForeignHistory, git } from '../support/foreign-history.ts'
import { foreignCommand, startForeignService } from '../support/foreign-service.ts'
import {
  type ForeignStory,
  foreignStories,
  recordingOf,
  storyName,
} from '../support/foreign-stories.ts'
import { isSoak } from '../support/soak.ts'
import { commandLine, emptyFolder, runSparring, startSparring } from '../support/spawn-sparring.ts'
import { words } from '../support/shell-words.ts'

const mostExchanges = 12
const mostReplays = 60
const minutes = 60_000
/** A replay that takes longer does not end. */
const replaySeconds = 120

const stories = foreignStories.filter(({ bug }) => isSoak || bug === 'option-quantity')

/** Ports beside that of the control API, one for each counterpart, and the last for the service. */
const portsOfSession = 5

interface Ports {
  /** Control API of the session. */
  readonly control: number
  readonly partnerUrl: string
  readonly service: number
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Free ports in a row, below those that the system gives to connections. */
async function freePorts(): Promise<Ports> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const control = 15_000 + Math.floor(Math.random() * 15_000)
    const row = Array.from({ length: portsOfSession + 1 }, (_, nth) => control + nth)
    const free = await Promise.all(row.map(isFree))
    if (free.every(Boolean))
      return {
        control,
        partnerUrl: `http://127.0.0.1:${control + 1}`,
        service: control + portsOfSession,
      }
  }
  throw new Error('no row of ports is free')
}

interface MinimiseResult {
  readonly verdict: string
  readonly replays: number
  readonly kept: readonly string[]
  readonly paragraph: string
  readonly products: readonly { readonly kind: string; readonly reason?: string }[]
}

describe.each(stories.map((story) => ({ name: storyName(story), story })))('$name', ({ story }) => {
  const { service, bug } = story
  const folder = emptyFolder()
  const small = join(folder, 'small.rec.ndjson')
  let ports: Ports

  beforeAll(async () => {
    ports = await freePorts()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Runs something while the service is up. */
  async function withService<T>(
    options: { readonly bug?: string },
    run: () => Promise<T>,
  ): Promise<T> {
    const { service: port, partnerUrl } = ports
    const running = await startForeignService(service, { port, partnerUrl, ...options })
    try {
      return await run()
    } finally {
      await running.stop()
    }
  }

  const target = (): readonly string[] =>
    words`--to http://127.0.0.1:${ports.service} --port ${String(ports.control)}`

  test(
    'is cut down to the cause',
    async () => {
      const began = performance.now()
      const minimise = (...where: readonly string[]) =>
        runSparring(
          words`minimise ${recordingOf(story)} ${where} ${fixedFlags(story)} --json -o small`,
          { cwd: folder },
        )
      const { code, stdout, stderr } = await (story.isRemembered
        ? minimise('--start', startCommand(story, bug))
        : withService({ bug }, () => minimise(...target())))
      expect({ code, stderr }).toMatchObject({ code: 0 })
      const { verdict, replays, kept, paragraph, products } = JSON.parse(stdout) as MinimiseResult
      const seconds = Math.round((performance.now() - began) / 1000)
      process.stdout.write(
        `${storyName(story)}: ${replays} replays, ${kept.length} exchanges, ${seconds} s\n${paragraph}\n`,
      )
      const read = await readRecording(small)
      if (!read.ok) throw new Error(read.error)
      const { exchanges, problems } = read.value
      expect(problems).toEqual([])
      expect(findForeignCauses(bug, exchanges)).toHaveLength(1)
      expect(exchanges.length).toBe(kept.length)
      expect(exchanges.length).toBeLessThanOrEqual(mostExchanges)
      expect(replays).toBeLessThanOrEqual(mostReplays)
      expect(verdict).toBe('minimal')
      // Each failed with the bug, and in the long run also passed without it.
      expect(products.filter(({ reason }) => reason !== undefined)).toEqual([])
    },
    10 * minutes,
  )

  const replay = (): readonly string[] => ['replay', small, ...target(), '--bisect']

  /** A replay that does not end by itself is killed, and has no exit code. */
  async function endedReplay() {
    const started = startSparring(replay(), { cwd: folder })
    const deadline = setTimeout(() => started.kill('SIGKILL'), replaySeconds * 1000)
    return await started.ended.finally(() => clearTimeout(deadline))
  }

  test.runIf(isSoak).each([
    { with: 'the bug', options: { bug }, code: 1 },
    { with: 'the bug mended', options: {}, code: 0 },
  ])(
    'replayed to the service with $with it ends with $code',
    async ({ options, code }) => {
      const result = await withService(options, endedReplay)
      expect(result).toMatchObject({ code })
    },
    4 * minutes,
  )

  test.runIf(isSoak)(
    'git bisect run finds the commit that brought the bug',
    async () => {
      const first = 19
      const history = createForeignHistory(service, bug, { count: 30, first })
      const script = join(folder, 'bisect.sh')
      writeFileSync(script, bisectScript(history.folder))
      git(history.folder, 'bisect', 'start', 'HEAD', history.commits[0] ?? '')
      const said = await bisectRun(history.folder, script)
      const found = history.commits.indexOf(git(history.folder, 'rev-parse', 'refs/bisect/bad'))
      expect({ found: found + 1, said }).toMatchObject({
        found: first,
        said: expect.stringContaining(
          `${history.commits[first - 1] ?? ''} is the first bad commit`,
        ),
      })
      rmSync(history.folder, { recursive: true })
    },
    15 * minutes,
  )

  /** Starts what is checked out, waits until it is ready, replays, and stops it. */
  function bisectScript(checkedOut: string): string {
    const { file, args, env } = commandLine(...replay())
    const server = foreignCommand(service, {
      port: ports.service,
      partnerUrl: ports.partnerUrl,
      folder: `${checkedOut}/`,
    })
    const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`)
    return [
      '#!/bin/sh',
      ...exports,
      `${server.map(quoted).join(' ')} >ready.log 2>&1 & service=$!`,
      'until grep -q "^ready " ready.log; do',
      '  kill -0 $service || exit 125',
      '  sleep 0.1',
      'done',
      `${[file, ...args].map(quoted).join(' ')} & replay=$!`,
      `(sleep ${replaySeconds}; kill -KILL $replay) >/dev/null 2>&1 & watchdog=$!`,
      'wait $replay',
      'outcome=$?',
      'kill $watchdog $service',
      'wait $service',
      'exit $outcome',
      '',
    ].join('\n')
  }
})

/** The mended service, which the products must pass against. */
const fixedFlags = (story: ForeignStory): readonly string[] =>
  isSoak ? ['--fixed', startCommand(story)] : []

/** The command that starts a service, with placeholders for its port and its partner. */
function startCommand({ service }: ForeignStory, bug?: string): string {
  const options = { partnerUrl: '{ordering-application}', ...(bug === undefined ? {} : { bug }) }
  const command = foreignCommand(service, options)
  const onPort = command.map((word, index) => (command[index - 1] === '--port' ? '{port}' : word))
  return onPort.map(quoted).join(' ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What `git bisect run` says; rejects when it does not end with a commit. */
async function bisectRun(folder: string, script: string): Promise<string> {
  const child = spawn('git', ['bisect', 'run', 'sh', script], { cwd: folder })
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(said)
  return said
}
