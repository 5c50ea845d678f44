/** Error boundary of a pane: shows the error inside the pane and retries when the model changes. */
import { Text } from 'ink'
import { Component, type ReactNode } from 'react'

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

export class ErrorBoundary extends Component<Props, State> {
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
