/**
 * Ports: functions of the host system (editor, files, minimiser) that the dashboard may not implement itself; the
 * composing code supplies them.
 */
import type { Result } from '../../../core/protocol/result.ts'
import type { Message } from '../model/message.ts'

/** The file exists already, or could not be written. */
export type SaveProblem =
  | { readonly kind: 'exists'; readonly file: string }
  | { readonly kind: 'problem'; readonly message: string }

export interface SaveScenarioRequest {
  readonly name: string
  readonly overwrite: boolean
}

/** What an action needs beside the session. */
export interface ActionContext {
  readonly ports: DashboardPorts
  /** Receives the progress of long-running actions. */
  readonly onMessage: (message: Message) => void
}

export interface DashboardPorts {
  /** Puts a text into the clipboard; the error says why it cannot. Absent where the output is no terminal. */
  readonly copyText?: (text: string) => Result<undefined, string>
  /** Opens a text in the operator's editor under a file name; returns the edited text, or why there is none. */
  readonly editText?: (text: string, name: string) => Promise<Result<string, string>>
  /** Saves the operator's actions on the session as a scenario; returns the path of the file. */
  readonly saveScenario?: (request: SaveScenarioRequest) => Promise<Result<string, SaveProblem>>
  /** Exports the recording in the format of the file extension; returns the path of the file. */
  readonly exportRecording?: (file: string) => Promise<Result<string, string>>
  /**
   * Minimises the recording to the exchanges that still fail as the one at this place does, or in the gravest way where
   * that does not fail; returns the report line by line, and reports progress meanwhile.
   */
  readonly minimise?: (
    onProgress: (text: string) => void,
    place: number,
  ) => Promise<Result<readonly string[], string>>
}
