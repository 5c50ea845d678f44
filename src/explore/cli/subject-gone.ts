/** The end of a campaign whose subject is unreachable, has ended, or rejects us. */
import { Problem, problem } from '../../core/base/problem.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'

export class SubjectGone extends Problem {
  /** The first and the last lines of its output, where we started it. */
  readonly output: readonly string[]

  constructor(because: string, remedy: string, output: readonly string[] = []) {
    super(problem('your service', because, remedy).message, exitCode.unreachable)
    this.output = output
  }
}
