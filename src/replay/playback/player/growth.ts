/** Indexes the rest of a recording behind its first screen, and tells when there is more to show. */
import type { RecordingTimeline } from './timeline.ts'

export interface TimelineGrowth {
  /** Goes on with what is left; nothing happens when all is there, or it goes on already. */
  readonly begin: () => void
  /** Resolves when nothing is left, or the rest cannot be read. */
  readonly whole: () => Promise<void>
}

/** Redrawing takes time and memory from reading. */
const tellEveryMs = 1000

export function createTimelineGrowth(
  timeline: RecordingTimeline,
  onGrown: () => void,
): TimelineGrowth {
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let notifiedAt = performance.now()
    try {
      await timeline.readOn(() => {
        if (performance.now() - notifiedAt < tellEveryMs) return
        notifiedAt = performance.now()
        onGrown()
      })
    } catch {
      // The index keeps the reason among its problems.
    }
    onGrown()
  }

  const whole = (): Promise<void> => {
    if (timeline.isWhole && !running) return Promise.resolve()
    return (running ??= run())
  }
  return { begin: () => void whole(), whole }
}
