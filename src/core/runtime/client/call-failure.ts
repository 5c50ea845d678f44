/** The error of an outbound call without a reply; journal and traffic show its `code`. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
