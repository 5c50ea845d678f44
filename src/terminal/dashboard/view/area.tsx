/** An area of the screen: rows of text in a rectangle. */
import { Box, Text } from 'ink'
import { memo, type ReactNode } from 'react'
import type { Rect } from '../model/layout.ts'
import { ErrorBoundary } from '../runtime/error-boundary.tsx'
import type { Appearance } from './appearance.ts'
import { paintRow } from './text/paint.ts'
import type { Row } from './text/row.ts'

interface AreaProps {
  readonly name: string
  readonly rect: Rect
  readonly appearance: Appearance
  readonly make: () => readonly Row[]
  /** An area that could not be drawn is tried again when this changes. */
  readonly attempt: unknown
}

export function Area({ name, rect, attempt, ...rows }: AreaProps): ReactNode {
  return (
    <Box position="absolute" left={rect.x} top={rect.y} width={rect.width} height={rect.height}>
      <ErrorBoundary name={name} attempt={attempt}>
        <Lines rect={rect} {...rows} />
      </ErrorBoundary>
    </Box>
  )
}

/** Rows are rendered inside the boundary, so that an error stays in its area. */
function Lines({
  rect,
  appearance,
  make,
}: Pick<AreaProps, 'rect' | 'appearance' | 'make'>): ReactNode {
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
