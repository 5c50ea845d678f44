/**
 * The outside failed, or asked for what cannot be: a bad file, a bad flag, a port in use, a service that is not there.
 * Not a refusal (that is the world's lawful no) and not a bug. Told in one sentence: what was attempted, what was
 * wrong, what to do; whoever catches it shows the message as it stands and ends with `exit`.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly exit: number

  constructor(message: string, exit: number) {
    super(message)
    this.exit = exit
  }
}

/** `attempted: wrong. remedy`. 2 is invalid input, 3 is a service that cannot be reached or turns us away. */
export const problem = (attempted: string, wrong: string, remedy: string, exit = 2): Problem =>
  new Problem(`${attempted}: ${wrong}${/[.?!]$/.test(wrong) ? '' : '.'} ${remedy}`, exit)
