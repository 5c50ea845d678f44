/**
 * A campaign on a screen of its own, which stays until the operator leaves it. What is printed meanwhile is printed below it, with
 * the report as its summary.
 */
import type { CampaignHeading } from '../screen/model.ts'
import type { Bucket } from '../investigation/bucket.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { openScreenPorts, type SessionOutputOptions } from '../../terminal/cli/session-output.ts'
import type { StopSignal } from '../../terminal/cli/stop-signal.ts'
import type { CampaignDisplay } from './campaign-display.ts'
import { explorePretty } from './reporters/pretty.ts'

/**
 * Work that needs the ports of a campaign waits for the gap between two of its batches, and the campaign waits for it.
 */
interface BatchGap {
  /** Does the work where no session of the campaign is open. */
  readonly use: (work: () => Promise<void>) => Promise<void>
  /** Called in each gap: resolves when what waited for it is done. */
  readonly pass: () => Promise<void>
  /** No session of the campaign is opened any more. */
  readonly end: () => void
  /** How long the campaign has waited, in ms. */
  readonly waitedMs: () => number
}

export function createBatchGap(): BatchGap {
  const waiting = new Set<() => Promise<void>>()
  let isOver = false
  let waitedMs = 0

  async function begin(): Promise<void> {
    const all = [...waiting]
    waiting.clear()
    await Promise.all(all.map((each) => each()))
  }

  return {
    use(work) {
      if (isOver) return work()
      return new Promise((resolve, reject) => {
        waiting.add(() => work().then(resolve, reject))
      })
    },
    async pass() {
      if (waiting.size === 0) return
      const began = performance.now()
      await begin()
      waitedMs += performance.now() - began
    },
    end() {
      isOver = true
      void begin()
    },
    waitedMs: () => waitedMs,
  }
}

export interface ScreenDisplayOptions {
  readonly heading: CampaignHeading
  readonly output: SessionOutputOptions
  readonly stopping: StopSignal
  /** Plays the reproducer of a bucket on the terminal; returns what could not be made of it. */
  readonly play: (bucket: Bucket) => Promise<string | undefined>
}

export async function openScreenDisplay(
  { heading, output, stopping, play }: ScreenDisplayOptions,
  io: Io,
): Promise<CampaignDisplay> {
  const { showCampaign } = await import('../screen/show-campaign.ts')
  const { ports, close } = await openScreenPorts(output, stopping, io)
  const gap = createBatchGap()
  let isOpen = true
  const sentences: string[] = []
  const screen = showCampaign({
    heading,
    ...ports,
    onPlay: (bucket, lend) =>
      gap.use(async () => {
        if (!stopping.signal.aborted) await lend(() => play(bucket))
      }),
  })

  const print = (sentence: string): Promise<void> => printLine(io.stderr, `sparring: ${sentence}`)
  /** One who does not wait for the end has the terminal back. */
  const closed = screen.closed.then(async () => {
    await screen.close()
    isOpen = false
    for (const each of sentences) await print(each)
  })

  return {
    async say(sentence) {
      if (isOpen) sentences.push(sentence)
      else await print(sentence)
    },
    show: screen.onProgress,
    clear: () => undefined,
    betweenBatches: gap.pass,
    waitedMs: gap.waitedMs,
    async end(report) {
      gap.end()
      if (report.halted !== undefined) await screen.close()
      await closed
      const summary = explorePretty.finish?.(report, { color: io.color, quiet: false }) ?? ''
      await printLine(io.stdout, summary.trimEnd())
    },
    async [Symbol.asyncDispose]() {
      gap.end()
      close()
      await screen.close()
      await closed
    },
  }
}
