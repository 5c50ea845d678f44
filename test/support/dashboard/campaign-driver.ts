/** Drives the screen of a campaign without a terminal: records, keys by name, and frames as lines. */
import { renderToString } from 'ink'
import { createElement } from 'react'
import {
  type CampaignMessage,
  campaignScreen,
  updateCampaign,
} from '../../../src/explore/screen/show-campaign.ts'
import {
  type CampaignHeading,
  type CampaignModel,
  initialCampaign,
} from '../../../src/explore/screen/model.ts'
import type { CampaignAction } from '../../../src/explore/screen/show-campaign.ts'
import {
  type ListAction,
  respondToListKey,
} from '../../../src/terminal/dashboard/list-screen/list-screen.ts'
import { ScreenAreas } from '../../../src/terminal/dashboard/list-screen/open-list-screen.tsx'
import { createFrameStore } from '../../../src/terminal/dashboard/runtime/frame-store.ts'
import type { Appearance } from '../../../src/terminal/dashboard/view/appearance.ts'
import type { CampaignProgress } from '../../../src/explore/campaign/campaign-state.ts'
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
  readonly actions: readonly (CampaignAction | ListAction)[]
}

export function driveCampaign({
  columns = 80,
  rows = 24,
  appearance = plainAppearance,
  heading,
  progress = [],
}: CampaignDriverOptions): CampaignDriver {
  const store = createFrameStore(initialCampaign(heading, columns, rows), updateCampaign)
  const actions: (CampaignAction | ListAction)[] = []
  for (const each of progress) store.fold({ kind: 'progress', progress: each })
  store.draw()
  const lines = (): readonly string[] => {
    const model = store.get()
    const screen = createElement(ScreenAreas<CampaignModel>, {
      model,
      appearance,
      screen: campaignScreen,
    })
    return renderToString(screen, { columns: model.columns }).split('\n')
  }
  return {
    press(...keys) {
      for (const key of keys) {
        const { message, action } = respondToListKey(campaignScreen, store.newest(), key)
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
