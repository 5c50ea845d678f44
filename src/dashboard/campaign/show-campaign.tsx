/**
 * Shows a campaign on a terminal until it is closed. The command line imports this file lazily, since Ink and React take longer to
 * load than everything else.
 */
import { type Instance, render } from 'ink'
import type { Bucket } from '../../exploration/investigation/bucket.ts'
import type { CampaignProgress } from '../../exploration/campaign/campaign-progress.ts'
import { fullScreenOptions, type TerminalStreams } from '../runtime/full-screen.ts'
import type { ExitReason } from '../runtime/show.tsx'
import type { Appearance } from '../view/appearance.ts'
import type { Tone } from '../view/text/row.ts'
import { CampaignDashboard } from './campaign-screen.tsx'
import { type CampaignAction, respondToCampaignKey } from './keys.ts'
import { type CampaignHeading, type CampaignModel, initialCampaign } from './model.ts'
import { type CampaignStore, createCampaignStore } from './store.ts'

/** The terminal, taken for as long as the screen is shown; created in `edge`. */
export interface CampaignTerminal extends TerminalStreams {
  /** Restores the terminal as it was. */
  readonly close: () => Promise<void>
}

/** Gives the terminal to something else for as long as it takes; what that returns is shown as a notice. */
type LendTerminal = (to: () => Promise<string | undefined>) => Promise<void>

export interface ShowCampaignOptions {
  readonly heading: CampaignHeading
  readonly appearance: Appearance
  /** Called at the beginning, and again after something else had the terminal. */
  readonly openTerminal: () => CampaignTerminal
  /** The operator wants the campaign to stop. The screen stays until the campaign has ended. */
  readonly onStop: () => void
  /** Plays a reproducer on the same terminal, which it borrows as soon as it can; absent where that is not possible. */
  readonly onPlay?: (bucket: Bucket, lend: LendTerminal) => Promise<void>
  /** Suspends to the shell, until resumed; absent where that is not possible. */
  readonly suspend?: () => Promise<void>
  /** Closes the screen, after a signal. */
  readonly signal?: AbortSignal
}

export interface ShownCampaign {
  readonly onProgress: (progress: CampaignProgress) => void
  /** Resolves when the operator leaves: by a key after the campaign has ended, or as soon as one that was stopped has ended. */
  readonly closed: Promise<ExitReason>
  /** Closes it, if it is open, and restores the terminal. */
  readonly close: () => Promise<void>
}

/** Why something is not possible. */
const refusals = {
  play: 'a reproducer cannot be played from here; its story has the command',
  suspend: 'this program cannot be suspended',
} as const

const waitingText = 'it is played when the schedules that run now have ended'

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Frames for records: at most ten in a second. */
const frameMs = 100
/** Time passes, although there are no records. */
const tickMs = 1000
/** Drawing may take at most a tenth of the time. */
const drawTimeDivisor = 10

/** Draws what was folded, so often that it costs little and the terminal keeps up. */
function createFrameTimer(store: CampaignStore, isDrained: () => boolean) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0
  const schedule = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined
        const began = performance.now()
        if (isDrained()) store.draw()
        const pause = Math.max(frameMs, drawTimeDivisor * (performance.now() - began))
        dueAt = began + pause
        if (store.get() !== store.newest()) schedule()
      },
      Math.max(0, dueAt - performance.now()),
    )
  }
  return { schedule, stop: () => clearTimeout(timer) }
}

export function showCampaign(options: ShowCampaignOptions): ShownCampaign {
  const { heading, appearance, openTerminal, onStop, onPlay, suspend, signal } = options
  const closed = Promise.withResolvers<ExitReason>()
  let terminal = openTerminal()
  const { columns, rows } = terminal.output
  const store = createCampaignStore(initialCampaign(heading, columns, rows))
  /** While something else has the terminal nothing is drawn. */
  let isAside = false
  /** A reproducer is played, or is to be as soon as it can. */
  let isPlaying = false
  const frames = createFrameTimer(store, () => !isAside && terminal.output.writableLength === 0)
  /** The wall clock at the beginning, by the last record. */
  let beganAt = performance.now()
  const ticks = setInterval(() => {
    if (store.newest().ended) return
    store.fold({ kind: 'ticked', tookMs: performance.now() - beganAt })
    frames.schedule()
  }, tickMs)

  const resized = (): void => {
    const { output } = terminal
    store.send({ kind: 'resized', columns: output.columns, rows: output.rows })
  }

  const tell = (text: string, tone: Tone): void =>
    store.send({ kind: 'told', notice: { text, tone } })

  async function aside(to: () => Promise<string | undefined>): Promise<void> {
    if (isClosing) return
    isAside = true
    await unmount()
    let notice: CampaignModel['notice']
    try {
      const text = await to()
      if (text !== undefined) notice = { text, tone: 'warn' }
    } catch (error) {
      notice = { text: textOf(error), tone: 'err' }
    }
    if (isClosing) return
    terminal = openTerminal()
    isAside = false
    resized()
    store.send({ kind: 'told', notice })
    app = mount()
  }

  const lend: LendTerminal = (to) => (asideWork = asideWork.then(() => aside(to)))

  async function play(bucket: Bucket): Promise<void> {
    if (!onPlay) return tell(refusals.play, 'muted')
    if (isPlaying) return tell(waitingText, 'muted')
    isPlaying = true
    tell(waitingText, 'info')
    try {
      await onPlay(bucket, lend)
    } catch (error) {
      tell(textOf(error), 'err')
    } finally {
      isPlaying = false
    }
  }

  function act(action: CampaignAction): void {
    switch (action.kind) {
      case 'stop':
        return onStop()
      case 'leave':
        return closed.resolve('quit')
      case 'play':
        return void play(action.bucket)
      case 'suspend':
        if (!suspend) return tell(refusals.suspend, 'muted')
        return void lend(async () => {
          await suspend()
          return undefined
        })
      default:
        action satisfies never
    }
  }

  const press = (key: string): void => {
    if (store.newest().notice) store.fold({ kind: 'told', notice: undefined })
    const { message, action } = respondToCampaignKey(store.newest(), key)
    if (message) store.fold(message)
    store.draw()
    if (action) act(action)
  }

  function mount(): Instance {
    // Registered before Ink's listener: the first frame after a resize already has the new size.
    terminal.output.on('resize', resized)
    return render(
      <CampaignDashboard {...{ store, appearance, press }} />,
      fullScreenOptions(terminal),
    )
  }

  async function unmount(): Promise<void> {
    terminal.output.off('resize', resized)
    app.unmount()
    await app.waitUntilExit().catch(() => undefined)
    await terminal.close()
  }

  let isClosing = false
  let asideWork: Promise<void> = Promise.resolve()
  let app = mount()
  const interrupted = (): void => closed.resolve('interrupted')
  if (signal?.aborted === true) interrupted()
  signal?.addEventListener('abort', interrupted, { once: true })

  return {
    closed: closed.promise,
    onProgress(progress) {
      beganAt = performance.now() - progress.tookMs
      store.fold({ kind: 'progress', progress })
      frames.schedule()
      if (progress.record.type === 'end' && store.newest().stop === 'stopping')
        closed.resolve('quit')
    },
    async close() {
      if (isClosing) return
      isClosing = true
      signal?.removeEventListener('abort', interrupted)
      clearInterval(ticks)
      frames.stop()
      await asideWork
      if (!isAside) await unmount()
      closed.resolve('interrupted')
    },
  }
}
