/**
 * Root component for Ink: rows of text in boxes at the positions of `layout`. It has no state of its own: one
 * subscription for the model, one input hook for the keys.
 */
import { Box, useApp, useInput, usePaste } from 'ink'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import type { Appearance } from './appearance.ts'
import { Area } from './area.tsx'
import { type PaneRows, screenAreas } from './areas.ts'
import { type Model } from '../model/model.ts'
import { type KeyPress, keyPressesOf } from '../runtime/key-press.ts'
import type { MouseReport } from '../../../core/runtime/mouse-input.ts'
import type { ModelStore } from '../runtime/store.ts'
import { isTextPrompt } from '../update/prompt.ts'

type SuspendTerminal = (during: () => Promise<void>) => Promise<void>

export interface DashboardProps {
  readonly store: ModelStore
  readonly appearance: Appearance
  readonly press: (press: KeyPress, suspend: SuspendTerminal) => void
  readonly point: (event: MouseReport, suspend: SuspendTerminal) => void
  readonly onMouse: (listener: (event: MouseReport) => void) => () => void
  /** Replaced in tests, to show a broken pane. */
  readonly paneRows?: PaneRows
}

export function Dashboard({
  store,
  appearance,
  press,
  point,
  onMouse,
  paneRows,
}: DashboardProps): ReactNode {
  const model = useSyncExternalStore(store.subscribe, store.get)
  const { suspendTerminal } = useApp()
  useInput((input, key) => {
    for (const each of keyPressesOf(input, key)) press(each, suspendTerminal)
  })
  useEffect(
    () => onMouse((event) => point(event, suspendTerminal)),
    [onMouse, point, suspendTerminal],
  )
  // Always mounted: without it, pasted text would arrive as keys.
  usePaste((text) => {
    if (isTextPrompt(store.get().prompt?.kind))
      store.send({ kind: 'typed', text: text.replaceAll(/\s+/g, ' ') })
  })
  return <Screen model={model} appearance={appearance} {...(paneRows ? { paneRows } : {})} />
}

interface ScreenProps {
  readonly model: Model
  readonly appearance: Appearance
  readonly paneRows?: PaneRows
}

/** The whole screen: exactly as many cells as the terminal has. */
export function Screen({ model, appearance, paneRows }: ScreenProps): ReactNode {
  const { columns, rows } = model.layout
  return (
    <Box width={columns} height={rows} overflow="hidden">
      {screenAreas(model, appearance.glyphs, paneRows).map(({ name, rect, rows: make }) => (
        <Area key={name} {...{ name, rect, appearance, make }} attempt={model} />
      ))}
    </Box>
  )
}
