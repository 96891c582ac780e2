"""tf.contrib.image, and batch normalization with renormalization."""


def _image(kit, shape):
    count = 1
    for size in shape:
        count *= size
    return kit.np.arange(count).reshape(shape).astype(kit.np.float32)


def _run(tf, kit, fetches):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return kit.value(sess.run(fetches))


def rotated(tf, kit):
    rotate = tf.contrib.image.rotate
    image = tf.constant(_image(kit, [4, 5]))
    batch = tf.constant(_image(kit, [2, 3, 4, 2]))
    turned = [
        rotate(image, 0.5),
        rotate(image, 0.5, "BILINEAR"),
        rotate(tf.cast(batch[0], tf.uint8), -1.2),
        rotate(batch, [0.3, 2.0], interpolation="BILINEAR"),
        rotate(batch, 3.1415926535 / 2),
    ]
    slope = tf.gradients(tf.reduce_sum(tf.square(turned[1])), image)
    return {
        "values": _run(tf, kit, turned + slope),
        "shapes": [each["shape"] for each in kit.static(turned)],
    }


def moved_and_warped(tf, kit):
    image = tf.contrib.image
    batch = tf.constant(_image(kit, [2, 3, 4, 1]))
    turn = image.angles_to_projective_transforms([0.4, 1.0], 3.0, 4.0)
    move = image.translations_to_projective_transforms([[1.0, 2.0], [0.5, -1.0]])
    both = image.compose_transforms(turn, move)
    return {
        "values": _run(
            tf,
            kit,
            [
                turn,
                move,
                both,
                image.translate(batch, [1, -1]),
                image.translate(batch, [[0.5, 0.0], [0.0, 1.5]], "BILINEAR"),
                image.transform(batch, both, "BILINEAR"),
                image.transform(batch, [1.0, 0.2, 0.0, 0.1, 1.0, 0.0, 0.01, 0.02]),
                image.flat_transforms_to_matrices(both),
                image.matrices_to_flat_transforms(2 * image.flat_transforms_to_matrices(both)),
            ],
        )
    }


def images_refused(tf, kit):
    image = tf.contrib.image
    return {
        "rank": kit.error(image.rotate, tf.zeros([1, 2, 3, 4, 5]), 1.0),
        "unknown": kit.error(image.rotate, tf.placeholder(tf.float32), 1.0),
        "angles": kit.error(image.rotate, tf.zeros([3, 4]), [[1.0]]),
        "interpolation": kit.error(image.rotate, tf.zeros([3, 4]), 1.0, "CUBIC"),
    }


def _renormed(tf, kit, training, shape=(4, 3), steps=3, **how):
    x = tf.placeholder(tf.float32, [None] + list(shape[1:]))
    y = tf.layers.batch_normalization(
        x, renorm=True, training=training, momentum=0.8, renorm_momentum=0.6, name="bn", **how
    )
    slopes = tf.gradients(tf.reduce_sum(y * y * tf.range(3.0)), [x] + tf.trainable_variables())
    update = tf.group(*tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    variables = sorted(tf.global_variables(), key=lambda variable: variable.name)
    seen = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(steps):
            batch = kit.np.sin(_image(kit, shape) * (0.4 + step)) * (step + 1)
            seen.append(kit.value(sess.run([y] + slopes, {x: batch})))
            sess.run(update, {x: batch})
            seen.append(kit.value(sess.run(variables)))
    return {
        "variables": [[v.name, v.get_shape().as_list()] for v in variables],
        "trained": [v.name for v in tf.trainable_variables()],
        "updates": len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)),
        "values": seen,
    }


def renorm_in_training(tf, kit):
    return _renormed(tf, kit, True)


def renorm_clipped(tf, kit):
    clipping = {"rmin": 0.5, "rmax": 1.5, "dmax": 0.3}
    return _renormed(tf, kit, True, (2, 2, 2, 3), renorm_clipping=clipping)


def renorm_without_scale(tf, kit):
    return _renormed(tf, kit, True, scale=False, center=False, renorm_clipping={"rmax": 2.0})


def renorm_at_rest(tf, kit):
    return _renormed(tf, kit, False)


def renorm_by_a_tensor(tf, kit):
    return _renormed(tf, kit, tf.placeholder_with_default(True, []))


def renorm_by_a_tensor_at_rest(tf, kit):
    return _renormed(tf, kit, tf.placeholder_with_default(False, []), steps=1)


def renorm_refused(tf, kit):
    def make(**how):
        return tf.layers.batch_normalization(tf.zeros([2, 2, 2, 3]), renorm=True, **how)

    return {
        "keys": kit.error(make, renorm_clipping={"rmean": 1.0}),
    }
