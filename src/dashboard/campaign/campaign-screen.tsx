/** The root component of a campaign's screen for Ink: areas of rows, a subscription, and an input hook. */
import { Box, useInput } from 'ink'
import { type ReactNode, useSyncExternalStore } from 'react'
import { keyPressesOf } from '../runtime/key-press.ts'
import type { Appearance } from '../view/appearance.ts'
import { Area } from '../view/area.tsx'
import { campaignAreas } from './areas.ts'
import type { CampaignModel } from './model.ts'
import type { CampaignStore } from './store.ts'

interface CampaignDashboardProps {
  readonly store: CampaignStore
  readonly appearance: Appearance
  readonly press: (key: string) => void
}

export function CampaignDashboard({ store, appearance, press }: CampaignDashboardProps): ReactNode {
  const model = useSyncExternalStore(store.subscribe, store.get)
  useInput((input, key) => {
    for (const each of keyPressesOf(input, key)) press(each.key)
  })
  return <CampaignScreenView model={model} appearance={appearance} />
}

interface ScreenViewProps {
  readonly model: CampaignModel
  readonly appearance: Appearance
}

/** The whole screen: exactly as many cells as the terminal has. */
export function CampaignScreenView({ model, appearance }: ScreenViewProps): ReactNode {
  const { columns, rows } = model
  return (
    <Box width={columns} height={rows} overflow="hidden">
      {campaignAreas(model, appearance.glyphs).map((area) => (
        <Area key={area.name} {...area} appearance={appearance} attempt={model} />
      ))}
    </Box>
  )
}
