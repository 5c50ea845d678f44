/** Drives the screen of a campaign without a terminal: records, keys by name, and frames as lines. */
import { renderToString } from 'ink'
import { createElement } from 'react'
import { campaignAreas } from '../../../src/explore/screen/areas.ts'
import { type CampaignAction, respondToCampaignKey } from '../../../src/explore/screen/keys.ts'
import {
  type CampaignHeading,
  type CampaignModel,
  initialCampaign,
} from '../../../src/explore/screen/model.ts'
import { ScreenAreas } from '../../../src/terminal/dashboard/runtime/area-screen.tsx'
import { createFrameStore } from '../../../src/terminal/dashboard/runtime/frame-store.ts'
import { type CampaignMessage, updateCampaign } from '../../../src/explore/screen/update.ts'
import type { Appearance } from '../../../src/terminal/dashboard/view/appearance.ts'
import type { CampaignProgress } from '../../../src/explore/campaign/campaign-progress.ts'
import { plainAppearance } from './drive.ts'

export interface CampaignDriverOptions {
  readonly columns?: number
  readonly rows?: number
  readonly appearance?: Appearance
  readonly heading: CampaignHeading
  readonly progress?: Iterable<CampaignProgress>
}

export interface CampaignDriver {
  readonly press: (...keys: readonly string[]) => void
  readonly send: (message: CampaignMessage) => void
  readonly model: () => CampaignModel
  readonly lines: () => readonly string[]
  readonly text: () => string
  /** What was asked of the terminal and of the campaign. */
  readonly actions: readonly CampaignAction[]
}

export function driveCampaign({
  columns = 80,
  rows = 24,
  appearance = plainAppearance,
  heading,
  progress = [],
}: CampaignDriverOptions): CampaignDriver {
  const store = createFrameStore(initialCampaign(heading, columns, rows), updateCampaign)
  const actions: CampaignAction[] = []
  for (const each of progress) store.fold({ kind: 'progress', progress: each })
  store.draw()
  const lines = (): readonly string[] => {
    const model = store.get()
    const screen = createElement(ScreenAreas<CampaignModel>, {
      model,
      appearance,
      areasOf: campaignAreas,
    })
    return renderToString(screen, { columns: model.columns }).split('\n')
  }
  return {
    press(...keys) {
      for (const key of keys) {
        const { message, action } = respondToCampaignKey(store.newest(), key)
        if (message) store.send(message)
        if (action) actions.push(action)
      }
    },
    send: store.send,
    model: store.get,
    lines,
    text: () => lines().join('\n'),
    actions,
  }
}
