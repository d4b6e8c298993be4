//! Weights that tell classes apart by sparse features: multinomial logistic regression, fitted by Adagrad. The same examples
//! in the same order give the same weights.

/// Something whose class is known.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// Which features it has, and how much of them.
    pub(super) places: Vec<(u32, f32)>,
    pub(super) class: usize,
    /// How much it counts.
    pub(super) weight: f32,
}

/// How the weights are sought.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) classes: usize,
    pub(super) width: usize,
    pub(super) epochs: usize,
    pub(super) rate: f32,
    /// How strongly weights are drawn to nothing.
    pub(super) pull: f32,
}

#[derive(Debug)]
pub(super) struct Fitted {
    plan: Plan,
    pub(super) bias: Vec<f32>,
    /// By class, then by feature.
    pub(super) weights: Vec<f32>,
    /// The squares of past steps.
    walked: Vec<f32>,
}

impl Fitted {
    pub(super) fn to(examples: &[Example], plan: Plan) -> Fitted {
        let size = plan.classes * plan.width;
        let bias = vec![0.0; plan.classes];
        let mut fitted = Fitted { plan, bias, weights: vec![0.0; size], walked: vec![1e-6; size] };
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut state = 1_u64;
        for _ in 0..plan.epochs {
            shuffle(&mut order, &mut state);
            for at in &order {
                fitted.step(&examples[*at]);
            }
        }
        fitted
    }

    /// How probable each class is.
    pub(super) fn shares(&self, places: &[(u32, f32)]) -> Vec<f32> {
        let mut sums = self.bias.clone();
        for (place, value) in places {
            for (class, sum) in sums.iter_mut().enumerate() {
                *sum += self.weights[class * self.plan.width + *place as usize] * value;
            }
        }
        let most = sums.iter().copied().fold(f32::MIN, f32::max);
        sums.iter_mut().for_each(|sum| *sum = (*sum - most).exp());
        let all: f32 = sums.iter().sum();
        sums.iter_mut().for_each(|sum| *sum /= all);
        sums
    }

    fn step(&mut self, example: &Example) {
        let shares = self.shares(&example.places);
        for (class, share) in shares.into_iter().enumerate() {
            let miss = (share - f32::from(u8::from(class == example.class))) * example.weight;
            self.bias[class] -= self.plan.rate * 0.1 * miss;
            for (place, value) in &example.places {
                let at = class * self.plan.width + *place as usize;
                let slope = miss * value + self.plan.pull * self.weights[at];
                self.walked[at] += slope * slope;
                self.weights[at] -= self.plan.rate * slope / self.walked[at].sqrt();
            }
        }
    }
}

fn shuffle(order: &mut [usize], state: &mut u64) {
    for at in (1..order.len()).rev() {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, ((*state >> 33) as usize) % (at + 1));
    }
}
