/**
 * Root component for Ink: rows of text in boxes at the positions given by `layout`. It has no state of its own: one
 * subscription for the model, one input hook for the keys.
 */
import { Box, Text, useApp, useInput, usePaste } from 'ink'
import { memo, type ReactNode, useSyncExternalStore } from 'react'
import type { Appearance } from './appearance.ts'
import { ErrorBoundary } from '../runtime/error-boundary.tsx'
import { bottomRows } from './footer.ts'
import { headerRows } from './header.ts'
import { type PaneId, visiblePanes, type Rect } from '../model/layout.ts'
import { layoutOf, type Model } from '../model/model.ts'
import { overlayBodyRows } from './overlays/body.ts'
import { panesById } from './panes/catalogue.ts'
import { type KeyPress, keyPressesOf } from '../runtime/key-press.ts'
import type { ModelStore } from '../runtime/store.ts'
import { isTextPrompt } from '../update/prompt.ts'
import { paintRow } from './text/paint.ts'
import type { Row } from './text/row.ts'

export interface DashboardProps {
  readonly store: ModelStore
  readonly appearance: Appearance
  readonly press: (press: KeyPress, suspend: (during: () => Promise<void>) => Promise<void>) => void
  /** Replaced in tests, to show a broken pane. */
  readonly paneRows?: typeof paneRowsOf
}

const paneRowsOf = (id: PaneId, model: Model, rect: Rect, { glyphs }: Appearance): readonly Row[] =>
  panesById[id].rows({ model, rect, glyphs })

export function Dashboard({ store, appearance, press, paneRows }: DashboardProps): ReactNode {
  const model = useSyncExternalStore(store.subscribe, store.get)
  const { suspendTerminal } = useApp()
  useInput((input, key) => {
    for (const each of keyPressesOf(input, key)) press(each, suspendTerminal)
  })
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
  readonly paneRows?: typeof paneRowsOf
}

/** The whole screen: exactly as many cells as the terminal has. */
export function Screen({ model, appearance, paneRows = paneRowsOf }: ScreenProps): ReactNode {
  const screenLayout = layoutOf(model)
  const { columns, rows, header, body } = screenLayout
  const bottom = bottomRows(model)
  const { glyphs } = appearance
  const bottomRect: Rect = {
    x: 0,
    y: rows - bottom.length,
    width: columns,
    height: bottom.length,
  }
  const area = (name: string, rect: Rect, make: () => readonly Row[]): ReactNode =>
    rect.height > 0 && rect.width > 0 ? (
      <Box
        key={name}
        position="absolute"
        left={rect.x}
        top={rect.y}
        width={rect.width}
        height={rect.height}
      >
        <ErrorBoundary name={name} attempt={model}>
          <Area rect={rect} appearance={appearance} make={make} />
        </ErrorBoundary>
      </Box>
    ) : null
  return (
    <Box width={columns} height={rows} overflow="hidden">
      {area('header', header, () => headerRows(model, header.width, header.height, glyphs))}
      {model.overlay
        ? area('detail', body, () => overlayBodyRows(model, glyphs))
        : visiblePanes(screenLayout, model.recent).map(({ id, rect }) =>
            area(id, rect, () => paneRows(id, model, rect, appearance)),
          )}
      {area('footer', bottomRect, () => bottom)}
    </Box>
  )
}

/** Rows are rendered inside the boundary, so that an error stays in its pane. */
function Area({
  rect,
  appearance,
  make,
}: {
  readonly rect: Rect
  readonly appearance: Appearance
  readonly make: () => readonly Row[]
}): ReactNode {
  const lines = make().slice(0, rect.height)
  return (
    <Box flexDirection="column" width={rect.width}>
      {lines.map((line, index) => (
        // Keyed by position: an unchanged row has the same text and is not drawn again.
        <Line key={index} text={paintRow(line, rect.width, appearance)} />
      ))}
    </Box>
  )
}

const Line = memo(({ text }: { readonly text: string }) => <Text wrap="truncate">{text}</Text>)
