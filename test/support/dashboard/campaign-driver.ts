/** Drives the screen of a campaign without a terminal: records, keys by name, and frames as lines. */
import { renderToString } from 'ink'
import { createElement } from 'react'
import { CampaignScreenView } from '../../../src/dashboard/campaign/campaign-screen.tsx'
import { type CampaignAction, respondToCampaignKey } from '../../../src/dashboard/campaign/keys.ts'
import {
  type CampaignHeading,
  type CampaignModel,
  initialCampaign,
} from '../../../src/dashboard/campaign/model.ts'
import { createCampaignStore } from '../../../src/dashboard/campaign/store.ts'
import type { CampaignMessage } from '../../../src/dashboard/campaign/update.ts'
import type { Appearance } from '../../../src/dashboard/view/appearance.ts'
import type { CampaignProgress } from '../../../src/exploration/campaign/campaign-progress.ts'
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
  const store = createCampaignStore(initialCampaign(heading, columns, rows))
  const actions: CampaignAction[] = []
  for (const each of progress) store.fold({ kind: 'progress', progress: each })
  store.draw()
  const lines = (): readonly string[] => {
    const model = store.get()
    const screen = createElement(CampaignScreenView, { model, appearance })
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
