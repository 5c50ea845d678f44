/**
 * Shows a campaign on a terminal until it is closed. The command line imports this file lazily, since Ink and React take longer to
 * load than everything else.
 */
import type { Bucket } from '../investigation/bucket.ts'
import type { CampaignProgress } from '../campaign/campaign-progress.ts'
import type { ExitReason } from '../../terminal/dashboard/runtime/show.tsx'
import { errorText, type TakenTerminal } from '../../terminal/dashboard/runtime/shown-screen.ts'
import { openTimedScreen } from '../../terminal/dashboard/runtime/timed-screen.ts'
import type { Appearance } from '../../terminal/dashboard/view/appearance.ts'
import { campaignAreas } from './areas.ts'
import { type CampaignAction, respondToCampaignKey } from './keys.ts'
import { type CampaignHeading, type CampaignModel, initialCampaign } from './model.ts'
import { type CampaignMessage, updateCampaign } from './update.ts'

/** Gives the terminal to something else for as long as it takes; what that returns is shown as a notice. */
type LendTerminal = (to: () => Promise<string | undefined>) => Promise<void>

export interface ShowCampaignOptions {
  readonly heading: CampaignHeading
  readonly appearance: Appearance
  /** Called at the beginning, and again after something else had the terminal. */
  readonly openTerminal: () => TakenTerminal
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

export function showCampaign(options: ShowCampaignOptions): ShownCampaign {
  const { heading, appearance, openTerminal, onStop, onPlay, suspend, signal } = options
  /** A reproducer is played, or is to be as soon as it can. */
  let isPlaying = false
  /** The wall clock at the beginning, by the last record. */
  let beganAt = performance.now()

  async function play(bucket: Bucket): Promise<void> {
    if (!onPlay) return screen.tell(refusals.play, 'muted')
    if (isPlaying) return screen.tell(waitingText, 'muted')
    isPlaying = true
    screen.tell(waitingText, 'info')
    try {
      await onPlay(bucket, screen.lend)
    } catch (error) {
      screen.tell(errorText(error), 'err')
    } finally {
      isPlaying = false
    }
  }

  function act(action: CampaignAction): void {
    switch (action.kind) {
      case 'stop':
        return onStop()
      case 'leave':
        return screen.leave()
      case 'play':
        return void play(action.bucket)
      case 'suspend':
        if (!suspend) return screen.tell(refusals.suspend, 'muted')
        return void screen.suspend(suspend)
      default:
        action satisfies never
    }
  }

  const screen = openTimedScreen<CampaignModel, CampaignMessage, CampaignAction>({
    openTerminal,
    appearance,
    initial: (columns, rows) => initialCampaign(heading, columns, rows),
    update: updateCampaign,
    areasOf: campaignAreas,
    respond: respondToCampaignKey,
    act,
    tick() {
      if (!screen.store.newest().ended)
        screen.fold({ kind: 'ticked', tookMs: performance.now() - beganAt })
    },
    signal,
  })

  return {
    closed: screen.closed,
    onProgress(progress) {
      beganAt = performance.now() - progress.tookMs
      screen.fold({ kind: 'progress', progress })
      if (progress.record.type === 'end' && screen.store.newest().stop === 'stopping')
        screen.leave()
    },
    close: screen.close,
  }
}
