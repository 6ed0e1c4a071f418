/// What this program calls itself.
public enum Version {
    public static let number = "0.1.0"
    /// As told in `software` and GPX `creator`.
    public static let software = "surefoot \(number)"
    /// The day this version was made: no receiver can have seen an earlier one.
    ///
    /// Moved only at a release.
    public static var buildDate: CivilDate? { CivilDate(year: 2026, month: 1, day: 1) }
}
