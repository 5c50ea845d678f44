/** An area of the screen: rows of text in a rectangle. */
import { Box, Text } from 'ink'
import { Component, memo, type ReactNode } from 'react'
import type { Rect } from '../model/layout.ts'
import type { Appearance } from './appearance.ts'
import { paintRow } from './text/paint.ts'
import type { Row } from './text/row.ts'

interface Props {
  readonly name: string
  /** The boundary retries when this value changes. */
  readonly attempt: unknown
  readonly children: ReactNode
}

interface State {
  readonly error: Error | undefined
  readonly attempt: unknown
}

/** Error boundary of a pane: shows the error inside the pane and retries when the model changes. */
class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, attempt: this.props.attempt }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (props.attempt === state.attempt) return null
    return { error: undefined, attempt: props.attempt }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return <Text wrap="truncate">{`! ${this.props.name} cannot be shown: ${error.message}`}</Text>
  }
}

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
