/// What a filter thinks at one time.
package struct Belief: Sendable {
    package var position = SIMD2<Double>.zero
    /// Velocity, or what is to be added to that of the speed field.
    package var velocity = SIMD2<Double>.zero
    package var bias = SIMD2<Double>.zero
    package var covariance: Covariance
}

/// What a filter thought before it saw a position, and how it came there.
package struct Prediction: Sendable {
    package var belief: Belief
    package var seconds: Double
    package var keptVelocity: Double
    package var keptBias: Double

    /// Stands where nothing was thought.
    fileprivate static func none(_ belief: Belief) -> Prediction {
        Prediction(belief: belief, seconds: 0, keptVelocity: 0, keptBias: 0)
    }
}

/// Puts the positions of a filter right by those that come later.
///
/// Rauch, Tung and Striebel's smoother (AIAA Journal 3/8, 1965) over windows that overlap: what lies
/// ``overlap`` nodes ahead has lost its say, so a window of a few minutes does for a run of any
/// length. Behind a restart of the filter nothing is known of what was before, so a window ends there.
package struct Smoother: Sendable {
    /// Nodes in a window, and those of it that only serve the ones before.
    package static let window = 384
    package static let overlap = 192

    private let window: Int
    private let overlap: Int
    private var entries: [Entry] = []
    /// Smoothed positions, oldest first: whoever takes them calls ``clear()``.
    package private(set) var settled: [SIMD2<Double>] = []

    private struct Entry: Sendable {
        var belief: Belief
        /// How this node follows from the one before, if it is not the first of the window.
        var prediction: Prediction
    }

    package init(window: Int = Self.window, overlap: Int = Self.overlap) {
        precondition(overlap < window, "a window must be longer than its overlap")
        self.window = window
        self.overlap = overlap
        entries.reserveCapacity(window)
        settled.reserveCapacity(window)
    }

    /// Positions moved with their frame.
    package mutating func shift(_ by: SIMD2<Double>) {
        for i in entries.indices {
            entries[i].belief.position += by
            entries[i].prediction.belief.position += by
        }
    }

    package mutating func clear() { settled.removeAll(keepingCapacity: true) }

    /// Takes what a filter thinks of the next node.
    package mutating func step(_ belief: Belief, _ prediction: Prediction?) {
        if let prediction {
            entries.append(Entry(belief: belief, prediction: prediction))
        } else {
            finish()
            entries.append(Entry(belief: belief, prediction: .none(belief)))
        }
        if entries.count == window { release(window - overlap) }
    }

    /// Settles all that is left.
    package mutating func finish() {
        release(entries.count)
    }

    private mutating func release(_ count: Int) {
        guard count > 0 else { return }
        // Backwards, in place: the smoothed position takes the place of the filtered one.
        var window = entries.mutableSpan
        var smoothed = window[window.count - 1].belief
        for i in stride(from: window.count - 1, through: 0, by: -1) {
            if i < window.count - 1 {
                smoothed = window[i].belief.corrected(by: smoothed, window[i + 1].prediction)
            }
            if i < count { window[i].belief.position = smoothed.position }
        }
        for i in 0..<count { settled.append(entries[i].belief.position) }
        entries.removeFirst(count)
    }
}

extension Belief {
    /// With what was found out about the next node since it was predicted.
    @inline(__always)
    fileprivate func corrected(by smoothed: Belief, _ prediction: Prediction) -> Belief {
        let before = prediction.belief
        let dp = smoothed.position - before.position
        let dv = smoothed.velocity - before.velocity
        let db = smoothed.bias - before.bias
        // Solves the predicted covariance for the three differences, both axes at once.
        var c = before.covariance
        c.pp += 1e-9
        c.ww += 1e-9
        c.bb += 1e-9
        let c00 = c.ww * c.bb - c.wb * c.wb
        let c01 = c.pb * c.wb - c.pw * c.bb
        let c02 = c.pw * c.wb - c.pb * c.ww
        let c11 = c.pp * c.bb - c.pb * c.pb
        let c12 = c.pw * c.pb - c.pp * c.wb
        let c22 = c.pp * c.ww - c.pw * c.pw
        let scale = 1 / (c.pp * c00 + c.pw * c01 + c.pb * c02)
        let p = (dp * c00 + dv * c01 + db * c02) * scale
        let v = (dp * c01 + dv * c11 + db * c12) * scale
        let b = (dp * c02 + dv * c12 + db * c22) * scale
        // Times the transition, turned over, times the covariance of this node.
        let tp = p
        let tv = p * prediction.seconds + v * prediction.keptVelocity
        let tb = b * prediction.keptBias
        let k = covariance
        return Belief(
            position: position + (tp * k.pp + tv * k.pw + tb * k.pb),
            velocity: velocity + (tp * k.pw + tv * k.ww + tb * k.wb),
            bias: bias + (tp * k.pb + tv * k.wb + tb * k.bb),
            covariance: covariance
        )
    }
}
