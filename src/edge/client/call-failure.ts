/** Why a call of ours came to nothing: its `code` is what the journal and the traffic tell. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
