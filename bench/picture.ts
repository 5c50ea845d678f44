/**
 * `npm run picture` draws the moving pictures of README.md and bench/README.md: real sessions with the reference service and the real
 * dashboard in this process, on a clock that is stepped, so that the same seed gives the same bytes. What commands print that play
 * against processes, and so are never the same twice, is drawn from bench/recorded, which `npm run picture -- --record` renews, after
 * a build. Names of pictures select.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { animatedSvg, type Frame } from './animated-svg.ts'
import type { DashboardDriver } from '../test/support/dashboard/drive.ts'
import type { InProcessHarness } from '../test/support/in-process-harness.ts'

// The clock of the machine stands, before anything reads it: latencies and the first instant are the same each time.
performance.now = () => 0
Object.defineProperty(performance, 'timeOrigin', { value: Date.UTC(2026, 10, 27, 19, 30) })

const { openHarness } = await import('../test/support/in-process-harness.ts')
const { driveDashboardOn } = await import('../test/support/dashboard/drive.ts')
const { appearanceOf } = await import('../src/terminal/dashboard/view/appearance.ts')

const root = fileURLToPath(new URL('..', import.meta.url))
const [words, flags] = [false, true].map((isFlag) =>
  process.argv.slice(2).filter((word) => word.startsWith('--') === isFlag),
)
const records = flags?.includes('--record') ?? false

const size = { columns: 110, rows: 28 }
const appearance = appearanceOf({ COLORTERM: 'truecolor' }, { glyphs: 'unicode', colour: true })
/** How long a frame is looked at: one of many that pass, one that is looked at, one that is read. */
const pace = { pass: 170, glance: 350, look: 1400, read: 3200 } as const

/** The frames of a story, as they are recorded. */
function createReel() {
  const frames: Frame[] = []
  let still = 0
  const show = (rows: readonly string[], caption: string, ms: number): void =>
    void frames.push({ rows, caption, ms })
  return {
    frames,
    show,
    /** What is seen where nothing may move: the last frame so far. */
    keep: () => void (still = frames.length - 1),
    still: () => still,
    /** A shell in which a command is typed; what it prints comes line by line, and is read where it matters. */
    run(command: string, output: readonly string[], caption: string, read: RegExp) {
      const prompt = (typed: string): string => `\u001b[36m$\u001b[39m ${typed}`
      for (const part of [0, 0.3, 0.6, 1])
        show([prompt(command.slice(0, Math.ceil(command.length * part)))], caption, pace.glance)
      for (const [index, line] of output.entries()) {
        const ms = read.test(line) ? pace.read : pace.pass
        show([prompt(command), ...output.slice(0, index + 1)], caption, ms)
      }
      show([prompt(command), ...output], caption, pace.read)
    },
  }
}

type Reel = ReturnType<typeof createReel>

/** What a command printed when it was recorded; with `--record` it is run now, by the built program. */
function printedBy(name: string, cwd: string, args: readonly string[]): readonly string[] {
  const file = `${root}bench/recorded/${name}.txt`
  if (records) {
    const command = join(cwd, 'sparring')
    writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${root}bin/sparring.js "$@"\n`)
    chmodSync(command, 0o755)
    const env = {
      ...process.env,
      PATH: `${cwd}${delimiter}${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      SPARRING_PORT: '0',
    }
    const shell = ['-c', '"$@" 2>&1', 'sh', command, ...args]
    writeFileSync(file, spawnSync('sh', shell, { cwd, env, encoding: 'utf8' }).stdout)
  }
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

/** A dashboard whose screens are frames. */
interface Stage {
  readonly session: InProcessHarness['session']
  readonly screen: DashboardDriver<InProcessHarness['session']>
  readonly hold: (caption: string, ms: number) => Promise<void>
  /** Presses keys, and shows what comes of them. */
  readonly key: (keys: string, caption: string, ms?: number) => Promise<void>
  /** Does it again until the screen shows this; each time it is shown for a moment. */
  readonly until: (pattern: RegExp, go: () => Promise<void>, caption: string) => Promise<void>
  readonly close: () => Promise<void>
}

type HarnessOptions = NonNullable<Parameters<typeof openHarness>[0]>

async function openStage(reel: Reel, options: HarnessOptions): Promise<Stage> {
  const stepped = { clock: 'stepped', ...options.session } as const
  const harness = await openHarness({ seed: 42, delivers: true, ...options, session: stepped })
  const { session } = harness
  await session.advance(100)
  const screen = await driveDashboardOn(session, { ...size, appearance })
  const written = async () => (await session.look({})).info.recording?.written
  /** The recorder writes ten times a second by the clock of the machine, and the screen says how much. */
  async function writtenAll(): Promise<void> {
    for (let before = -1, same = 0; same < 3;) {
      const now = (await written()) ?? before
      same = now === before ? same + 1 : 0
      before = now
      if (options.session?.recording) await new Promise((resolve) => setTimeout(resolve, 120))
    }
    await screen.refresh()
  }
  async function hold(caption: string, ms: number): Promise<void> {
    await writtenAll()
    reel.show(screen.lines(), caption, ms)
  }
  return {
    session,
    screen,
    hold,
    async key(keys, caption, ms = pace.look) {
      await screen.press(...keys.split(' '))
      await hold(caption, ms)
    },
    async until(pattern, go, caption) {
      for (let tries = 0; !pattern.test(screen.text()); tries++) {
        if (tries > 60) throw new Error(`no ${String(pattern)} in\n${screen.text()}`)
        await go()
        await screen.refresh()
        await hold(caption, pace.glance)
      }
    },
    async close() {
      await harness[Symbol.asyncDispose]()
    },
  }
}

/** An event is delivered twice by hand: a second courier, and a verdict; and the session is recorded. */
async function deliverTwice(reel: Reel, folder: string): Promise<void> {
  const { session, screen, hold, key, until, close } = await openStage(reel, {
    defects: ['forgets-event-ids'],
    session: { recording: { file: join(folder, 'bug.rec.ndjson') } },
  })
  await hold('a partner, and a service that forgets which events it has processed', pace.read)
  await key('N d', 'N d: the partner has a new order, for delivery')
  await key('5', '5: the agenda, with everything that is still to come')
  await until(/CONFIRMED to polls/, () => screen.press('n'), 'n: one step after the other')
  await hold('the event CONFIRMED is due', pace.look)
  await key('d', 'd: deliver it twice, as any partner may', pace.read)
  await key('t', 't: one of the two a second later', pace.read)
  await key('2', '2: the traffic')
  await until(/✗ /, () => session.advance(500), 'time goes on')
  await hold('the event came again: POST /logistics/delivery, and a second courier', pace.read)
  await key('I', 'I: the rules')
  await key('enter', 'enter: the clause, the exchanges that show it, what to change', 2 * pace.read)
  reel.keep()
  await session.advance(20_000)
  await close()
}

/** The same, and what is left of the recording when it is reduced. */
async function duplicateStory(reel: Reel, folder: string): Promise<void> {
  await deliverTwice(reel, folder)
  const service = 'sparring demo --service --speed 20 --defect forgets-event-ids'
  const args = ['minimise', 'bug.rec.ndjson', '--start', service, '-o', 'small']
  reel.run(
    `sparring minimise bug.rec.ndjson --start '${service}' -o small`,
    printedBy('minimise', folder, args),
    'the recording of the session is reduced to what matters',
    /are enough/,
  )
}

/** Events are held, and come in another order than they happened; a right service minds neither. */
async function holdStory(reel: Reel): Promise<void> {
  const { session, screen, hold, key, until, close } = await openStage(reel, {})
  await hold('a partner, and a service that is right', pace.look)
  await key('N d', 'N d: a first order')
  await key('N t', 'N t: a second one')
  await key('5', '5: the agenda: two events are due', pace.read)
  await key('p', 'p: the second is held, until it is released', pace.read)
  await until(/CONFIRMED to polls/, () => screen.press('n'), 'n: the first order goes on alone')
  await hold('the first order is confirmed; the service has not heard of the second', pace.read)
  await key('P', 'P: release the second', pace.look)
  await key('J', 'J: and let it come after the news of the first', pace.read)
  await until(/●(?:DELIVERED|CONCLUDED)/, () => session.advance(1000), 'time goes on')
  await key('I', 'I: late, and out of order, and no rule was broken', 2 * pace.read)
  reel.keep()
  await close()
}

/** That recording, and the service once it is repaired: the second courier does not come. */
async function replayStory(reel: Reel, folder: string): Promise<void> {
  await deliverTwice(createReel(), folder)
  const service = 'sparring demo --service'
  const args = ['replay', 'bug.rec.ndjson', '--start', service, '--driver', 'partner']
  reel.run(
    `sparring replay bug.rec.ndjson --start '${service}' --driver partner`,
    printedBy('replay', folder, args),
    'the same session, with the service repaired: where does it differ first?',
    /^first/,
  )
  reel.keep()
}

const stories = {
  'bench/dashboard.svg': duplicateStory,
  'bench/hold.svg': holdStory,
  'bench/replay.svg': replayStory,
} as const

for (const [file, story] of Object.entries(stories)) {
  if (words?.length && !words.some((name) => file.includes(name))) continue
  const folder = mkdtempSync(join(tmpdir(), 'sparring-picture-'))
  try {
    const reel = createReel()
    await story(reel, folder)
    const text = await animatedSvg(reel.frames, size, reel.still())
    writeFileSync(join(root, file), text)
    process.stdout.write(`${file}: ${reel.frames.length} frames, ${text.length} characters\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
// What the sessions wait for on the clock that stands never comes.
process.exit(0)
