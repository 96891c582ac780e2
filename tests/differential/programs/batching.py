"""The batching functions."""

from ..kit import program


@program
def the_last_ones_are_dropped(tf, s):
    s.run(tf.train.batch([s.number(205)], 10))


@program
def the_last_ones_are_kept(tf, s):
    s.run(tf.train.batch([s.number(205)], 10, allow_smaller_final_batch=True))


@program
def batches_of_one(tf, s):
    s.run(tf.train.batch([s.number(150)], 1))


@program
def larger_than_the_queue(tf, s):
    s.run(tf.train.batch([s.number(500)], 100, capacity=8))


@program
def larger_than_the_default_queue(tf, s):
    s.run(tf.train.batch([s.number(700)], 128))


@program
def larger_than_the_data(tf, s):
    s.run(tf.train.batch([s.number(150)], 200, allow_smaller_final_batch=True))


@program
def through_a_queue_of_one(tf, s):
    s.run(tf.train.batch([s.number(120)], 5, capacity=1))


@program
def as_large_as_its_queue(tf, s):
    s.run(tf.train.batch([s.number(320)], 32))


@program
def a_dictionary(tf, s):
    number = s.number()
    s.run(tf.train.batch({"n": number, "twice": 2 * number, "text": tf.as_string(number)}, 9))


@program
def rows_at_a_time(tf, s):
    rows = tf.range(5) + 10 * s.number(60)
    s.run(tf.train.batch([rows], 12, enqueue_many=True))


@program
def rows_at_a_time_with_the_last(tf, s):
    rows = tf.range(7) + 10 * s.number(60)
    s.run(tf.train.batch([rows, -rows], 16, enqueue_many=True, allow_smaller_final_batch=True))


@program
def as_many_rows_as_the_number_says(tf, s):
    number = s.number(60)
    s.run(tf.train.batch([tf.fill([number % 4], number)], 9, enqueue_many=True))


@program
def padded(tf, s):
    number = s.number()
    s.run(tf.train.batch([tf.range(number % 6), number], 8, dynamic_pad=True))


@program
def padded_in_two_dimensions(tf, s):
    number = s.number(150)
    found = tf.fill([1 + number % 3, number % 4], tf.cast(number, tf.float32))
    s.run(tf.train.batch([found], 6, dynamic_pad=True, allow_smaller_final_batch=True))


@program
def padded_strings(tf, s):
    words = tf.string_split([s.line(150)], ".").values
    s.run(tf.train.batch([words[: tf.size(words)]], 6, dynamic_pad=True))


@program
def padded_lists_of_a_record(tf, s):
    found = s.parsed("some", "id")
    s.run(tf.train.batch([found["some"].values, found["id"]], 7, dynamic_pad=True))


@program
def batches_of_batches(tf, s):
    inner = tf.train.batch([s.number(600)], 3)
    s.run(tf.train.batch([inner, tf.reduce_sum(inner)], 4))


@program
def batches_taken_apart_again(tf, s):
    inner = tf.train.batch([s.number(400)], 8)
    s.run(tf.train.batch([inner], 5, enqueue_many=True))


@program
def three_queues_in_a_row(tf, s):
    found = s.number(300)
    for factor in (2, 3):
        found = tf.train.batch([found * factor], 1, capacity=3)[0]
    s.run(tf.train.batch([found], 10))


@program(ordered=False)
def several_threads(tf, s):
    s.run(tf.train.batch([s.number(250)], 10, num_threads=4, allow_smaller_final_batch=True))


@program(ordered=False)
def several_threads_that_read(tf, s):
    value = tf.TextLineReader().read(s.names(s.lines(60, 70, 80)))[1]
    s.run(tf.train.batch([value], 9, num_threads=3, allow_smaller_final_batch=True))


@program(ordered=False)
def several_threads_rows_at_a_time(tf, s):
    rows = tf.range(5) + 10 * s.number(80)
    s.run(
        tf.train.batch(
            [rows], 16, 3, enqueue_many=True, capacity=50, allow_smaller_final_batch=True
        )
    )


@program(ordered=False)
def shuffled(tf, s):
    s.run(
        tf.train.shuffle_batch([s.number(300)], 10, 100, 40, allow_smaller_final_batch=True, seed=1)
    )


@program(ordered=False)
def shuffled_by_several_threads(tf, s):
    a, b, c = s.row(300)
    s.run(tf.train.shuffle_batch([a, b, c], 10, 60, 20, 3, allow_smaller_final_batch=True))


@program(ordered=False)
def shuffled_rows(tf, s):
    rows = tf.range(6) + 10 * s.number(60)
    s.run(
        tf.train.shuffle_batch([rows], 8, 70, 30, enqueue_many=True, allow_smaller_final_batch=True)
    )


@program(ordered=False)
def shuffled_in_batches_larger_than_the_rest(tf, s):
    s.run(tf.train.shuffle_batch([s.number(260)], 128, 400, 250, allow_smaller_final_batch=True))


@program(ordered=False)
def joined(tf, s):
    lists = [[s.number(120) + 1000 * i, tf.constant(i)] for i in range(3)]
    s.run(tf.train.batch_join(lists, 7, allow_smaller_final_batch=True))


@program(ordered=False)
def joined_and_shuffled(tf, s):
    lists = [[s.number(100) + 1000 * i] for i in range(2)]
    s.run(tf.train.shuffle_batch_join(lists, 6, 40, 10, allow_smaller_final_batch=True))


@program(ordered=False)
def joined_readers_padded(tf, s):
    names = s.names(s.lines(*[30] * 6))
    lists = [
        [tf.string_split([tf.TextLineReader().read(names)[1]], "").values[:9]] for _ in range(2)
    ]
    s.run(tf.train.batch_join(lists, 1, dynamic_pad=True))


@program
def some_are_kept(tf, s):
    number = s.number(300)
    s.run(tf.train.maybe_batch([number], tf.equal(number % 3, 0), 7))


@program
def none_but_the_last_is_kept(tf, s):
    number = s.number(200)
    kept = tf.greater(number, 198)
    s.run(tf.train.maybe_batch([number], kept, 4, allow_smaller_final_batch=True))


@program
def some_rows_are_kept(tf, s):
    rows = tf.range(8) + 10 * s.number(50)
    kept = tf.equal(rows % 4, 1)
    s.run(tf.train.maybe_batch([rows], kept, 9, enqueue_many=True, allow_smaller_final_batch=True))


@program(ordered=False)
def some_are_kept_and_shuffled(tf, s):
    number = s.number(300)
    s.run(
        tf.train.maybe_shuffle_batch(
            [number], 5, 60, 10, number % 2 > 0, allow_smaller_final_batch=True
        )
    )


@program
def sparse(tf, s):
    found = s.parsed("some", "id")
    s.run(tf.train.batch([found["some"], found["id"]], 8))


@program
def sparse_with_the_last(tf, s):
    found = s.parsed("some", count=150)
    s.run(tf.train.batch([found["some"]], 16, allow_smaller_final_batch=True))


@program
def sparse_rows(tf, s):
    serialized = tf.train.batch([s.serialized(160)], 8)
    found = tf.parse_example(serialized, {"some": tf.VarLenFeature(tf.int64)})["some"]
    s.run(tf.train.batch([found], 6, enqueue_many=True))


@program
def some_sparse_are_kept(tf, s):
    found = s.parsed("some", "id")
    s.run(tf.train.maybe_batch([found["some"], found["id"]], found["id"] % 3 > 0, 6))


@program
def serialized_and_parsed_behind(tf, s):
    batch = tf.train.batch([s.serialized(180)], 16, allow_smaller_final_batch=True)
    found = tf.parse_example(
        batch, {"pair": tf.FixedLenFeature([2], tf.float32), "some": tf.VarLenFeature(tf.int64)}
    )
    s.run([found["pair"], found["some"]])


@program
def shapes_are_given(tf, s):
    value = tf.decode_raw(s.parsed("raw")["raw"], tf.uint8)
    s.run(tf.train.batch([value], 12, shapes=[[4]]))


@program
def a_shared_name(tf, s):
    s.run(tf.train.batch([s.number(150)], 6, shared_name="theirs", name="mine"))


@program
def buckets_by_hand(tf, s):
    number = s.number(300)
    short = tf.train.maybe_batch([number], number % 10 < 3, 5, capacity=100)
    s.run(short)


@program
def the_size_behind_the_end(tf, s):
    queue = tf.FIFOQueue(500, [tf.int32], [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(s.number(180))]))
    size = queue.size()
    s.run(queue.dequeue_many(180), each=lambda sess: s.see(sess.run(size)))


@program
def keyed_and_weighted(tf, s):
    a, b, c = s.row()
    s.run(tf.train.batch([a, tf.stack([c, tf.cast(b, tf.float32)]), tf.one_hot(b, 7)], 14))


@program
def no_batch_of_the_last(tf, s):
    s.run(tf.train.batch([s.number(3)], 4))


@program
def no_elements_at_all(tf, s):
    path = s.file("empty", "")
    value = tf.TextLineReader().read(s.names([path], 3))[1]
    s.run(tf.train.batch([value], 4, allow_smaller_final_batch=True))


@program
def a_few_steps_of_an_endless_one(tf, s):
    s.run(tf.train.batch([s.number(13, None)], 8), steps=40)


@program
def a_few_steps_of_an_endless_one_by_line(tf, s):
    value = tf.TextLineReader().read(s.names(s.lines(9, 8), None))[1]
    s.run(tf.train.batch([value], 6), steps=40)
