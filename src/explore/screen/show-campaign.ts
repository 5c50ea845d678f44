/**
 * Shows a campaign on a terminal until it is closed. The command line imports this file lazily, since Ink and React take longer to
 * load than everything else.
 */
import type { Bucket } from '../investigation/bucket.ts'
import type { CampaignProgress } from '../campaign/campaign-progress.ts'
import {
  OpenListScreen,
  type ShowListOptions,
} from '../../terminal/dashboard/list-screen/open-list-screen.tsx'
import type { ExitReason } from '../../terminal/dashboard/runtime/show.tsx'
import { errorText } from '../../terminal/dashboard/runtime/shown-screen.ts'
import { campaignScreen, updateCampaign } from './campaign-screen.ts'
import { type CampaignHeading, initialCampaign } from './model.ts'

/** Gives the terminal to something else for as long as it takes; what that returns is shown as a notice. */
type LendTerminal = (to: () => Promise<string | undefined>) => Promise<void>

/** The screen stays until a campaign that is to stop has ended. */
export interface ShowCampaignOptions extends ShowListOptions {
  readonly heading: CampaignHeading
  /** Plays a reproducer on the same terminal, which it borrows as soon as it can; absent where that is not possible. */
  readonly onPlay?: (bucket: Bucket, lend: LendTerminal) => Promise<void>
}

export interface ShownCampaign {
  readonly onProgress: (progress: CampaignProgress) => void
  /** Resolves when the operator leaves: by a key after the campaign has ended, or as soon as one that was stopped has ended. */
  readonly closed: Promise<ExitReason>
  /** Closes it, if it is open, and restores the terminal. */
  readonly close: () => Promise<void>
}

const noPlayText = 'a reproducer cannot be played from here; its story has the command'
const waitingText = 'it is played when the schedules that run now have ended'

export function showCampaign(options: ShowCampaignOptions): ShownCampaign {
  const { heading, onPlay } = options
  /** A reproducer is played, or is to be as soon as it can. */
  let isPlaying = false

  async function play(bucket: Bucket): Promise<void> {
    if (!onPlay) return screen.tell(noPlayText, 'muted')
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

  const screen = new OpenListScreen({
    ...options,
    screen: campaignScreen,
    initial: (columns, rows) => initialCampaign(heading, columns, rows),
    update: updateCampaign,
    act: ({ bucket }) => void play(bucket),
  })

  return {
    closed: screen.closed,
    onProgress(progress) {
      screen.setTookMs(progress.tookMs)
      screen.fold({ kind: 'progress', progress })
      if (progress.record.type === 'end' && screen.model.stop === 'stopping') screen.leave()
    },
    close: () => screen.close(),
  }
}
