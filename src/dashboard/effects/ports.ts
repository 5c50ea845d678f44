/** What the dashboard asks of the machine that it runs on, and may not do itself: whoever composes it brings these. */
import type { Result } from '../../protocol/result.ts'

/** There is a file of that name already, or it could not be written. */
export type NotSaved =
  | { readonly kind: 'exists'; readonly file: string }
  | { readonly kind: 'problem'; readonly message: string }

export interface ScenarioWish {
  readonly name: string
  readonly overwrite: boolean
}

export interface DashboardPorts {
  /** Gives a text to the person's editor, under a file name, and answers what came back; or why nothing did. */
  readonly editText?: (text: string, name: string) => Promise<Result<string, string>>
  /** Writes down as a scenario what was done to the session by hand; answers the file. */
  readonly saveScenario?: (wish: ScenarioWish) => Promise<Result<string, NotSaved>>
  /** Writes the recording to a file of another format, which its name tells; answers the file. */
  readonly exportRecording?: (file: string) => Promise<Result<string, string>>
  /** Looks for the few exchanges that matter; answers what to tell, line by line. How far it is, it tells meanwhile. */
  readonly minimise?: (
    onProgress: (text: string) => void,
  ) => Promise<Result<readonly string[], string>>
}
