/** A step was refused or timed out; the message is shown to the author of the scenario. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
}
