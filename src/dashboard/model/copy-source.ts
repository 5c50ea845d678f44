/** Sources of the clipboard: a text that is known, or a part of an exchange or an item that has to be read. */
export type CopySource =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'exchange'
      /** By its number in the session, or by its place in the recording. */
      readonly of: { readonly seq: number } | { readonly place: number }
      readonly part: 'url' | 'request' | 'reply' | 'curl'
    }
  /** The event that an item hands over, or its command. */
  | { readonly kind: 'item'; readonly id: number }

/** An answer to the question what to copy. */
export interface CopyChoice {
  readonly key: string
  readonly name: string
  readonly source: CopySource
}
