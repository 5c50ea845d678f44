/**
 * A user or environment error: a bad file, a bad flag, a port in use, a service that is not running. Neither a refusal
 * (the world's valid no) nor a bug. The message says what was attempted, what was wrong and what to do; the catcher
 * prints it unchanged and exits with the code `exit`.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly exit: number

  constructor(message: string, exit: number) {
    super(message)
    this.exit = exit
  }
}

/**
 * Builds the message `attempted: wrong. remedy`. Exit code 2: invalid input; 3: a service is unreachable or refuses us.
 */
export const problem = (attempted: string, wrong: string, remedy: string, exit = 2): Problem =>
  new Problem(`${attempted}: ${wrong}${/[.?!]$/.test(wrong) ? '' : '.'} ${remedy}`.trimEnd(), exit)
