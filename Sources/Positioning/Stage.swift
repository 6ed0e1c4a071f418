/// One step of the line: takes one input, keeps what it must remember, gives at most one output.
///
/// A stage is a value. It reads no clock, file or global, so a live run and a replay of its inputs
/// give the same outputs, and a test needs nothing but the stage. Time reaches a stage as data,
/// inside its inputs.
package protocol Stage<Input, Output> {
    associatedtype Input
    associatedtype Output

    /// Takes the next input, in order.
    mutating func step(_ input: Input) -> Output?
}
